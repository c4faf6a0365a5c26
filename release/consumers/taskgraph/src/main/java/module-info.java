module consumer {
    requires io.frameloom.taskgraph;
}
