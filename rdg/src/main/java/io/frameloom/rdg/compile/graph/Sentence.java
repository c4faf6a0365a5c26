package io.frameloom.rdg.compile.graph;

/** Words about what a plan consists of, whatever that is called. Immutable; any thread. */
@FunctionalInterface
public interface Sentence {
    String in(Names names);
}
