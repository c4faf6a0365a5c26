package io.frameloom.rdg.compile;

/** Words about what a plan consists of, whatever that is called. Immutable; any thread. */
@FunctionalInterface
interface Sentence {
    /** Returns the sentence under the names of a plan. */
    String in(Names names);
}
