package io.frameloom.taskgraph;

/** A thread of a graph that has a field for what tasks inherit: a thread-local variable would cost every task a look-up. */
abstract class TaskThread extends Thread {
    /** Belongs to this thread. */
    final InheritedContext inherited = new InheritedContext();

    TaskThread(String name) {
        super(null, null, name, 0, false);
    }
}
