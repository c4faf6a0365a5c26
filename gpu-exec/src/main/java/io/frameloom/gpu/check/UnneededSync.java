package io.frameloom.gpu.check;

/**
 * A wait, a barrier, or one bit of a mask of either, without which the submissions are as correct as with it. Each is
 * judged alone: of two barriers that do the same both are reported, and only one of them can go.
 *
 * @param kind what is not needed
 * @param submission label of the submission that has it
 * @param explanation one sentence: what it is, and why it is not needed
 */
public record UnneededSync(Kind kind, String submission, String what, String explanation) {
    /** What is not needed. */
    public enum Kind {
        /** A wait for a timeline point. */
        WAIT,
        /** A stage that a wait holds back. */
        WAIT_STAGE,
        /** A barrier of a texture, of a buffer or of all memory. */
        BARRIER,
        /** A stage that a barrier waits for. */
        SOURCE_STAGE,
        /** A write that a barrier makes available. */
        SOURCE_ACCESS,
        /** A stage that a barrier holds back. */
        DESTINATION_STAGE,
        /** An access to which a barrier makes memory visible. */
        DESTINATION_ACCESS
    }

    /** What is looked for. */
    public enum Search {
        /** Nothing: the checker looks for hazards alone. */
        NONE,
        /** Whole waits and barriers. Judges every submission once more for each that it has. */
        WHOLE,
        /** Also single bits of their masks: some ten times as much work. */
        PARTS
    }
}
