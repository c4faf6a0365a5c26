package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.BarrierBatch;

/**
 * One half of a split barrier; both halves are the same object.
 *
 * @param event which of the events of the frame's slot
 * @param batch barriers
 */
record SplitHalf(int event, BarrierBatch batch) {}
