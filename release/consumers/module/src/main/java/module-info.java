module consumer {
    requires io.frameloom.rdg;
}
