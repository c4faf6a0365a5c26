package io.frameloom.samples.match;

/**
 * What the device found in one window: what it does to a depth, as the shader {@code fold.comp} has it, and the
 * brackets to match with other windows.
 *
 * @param brackets number of brackets
 * @param rise how far the depth rises above the one before, at most
 * @param top deepest depth, whatever it was before
 * @param wrong closes of another kind than their open, both in this window
 * @param wrongClose the first of them
 * @param wrongOpen its open
 * @param alone brackets without partner in this window: closes, then opens
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record WindowResult(int brackets, int rise, int top, int wrong, int wrongClose, int wrongOpen, int[] alone) {
    static final WindowResult NOTHING = new WindowResult(0, 0, 0, 0, 0, 0, new int[0]);
}
