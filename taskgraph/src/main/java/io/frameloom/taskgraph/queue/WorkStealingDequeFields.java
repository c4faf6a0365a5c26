package io.frameloom.taskgraph.queue;

/** 128 bytes between what the owner writes and what thieves write. */
abstract class DequeMiddlePad extends DequeOwnerFields {
    byte m00, m01, m02, m03, m04, m05, m06, m07, m08, m09, m0a, m0b, m0c, m0d, m0e, m0f;
    byte m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m1a, m1b, m1c, m1d, m1e, m1f;
    byte m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m2a, m2b, m2c, m2d, m2e, m2f;
    byte m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m3a, m3b, m3c, m3d, m3e, m3f;
    byte m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m4a, m4b, m4c, m4d, m4e, m4f;
    byte m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m5a, m5b, m5c, m5d, m5e, m5f;
    byte m60, m61, m62, m63, m64, m65, m66, m67, m68, m69, m6a, m6b, m6c, m6d, m6e, m6f;
    byte m70, m71, m72, m73, m74, m75, m76, m77, m78, m79, m7a, m7b, m7c, m7d, m7e, m7f;

    DequeMiddlePad(long firstIndex, WorkStealingDeque.Ring ring, int renewEvery) {
        super(firstIndex, ring, renewEvery);
    }
}

/** What thieves write, on a line of its own. The layout is asserted by {@code PaddingTest}. */
abstract class WorkStealingDequeFields extends DequeMiddlePad {
    /** Index of the oldest item. Only grows, and only by compare-and-set. */
    long top;

    WorkStealingDequeFields(long firstIndex, WorkStealingDeque.Ring ring, int renewEvery) {
        super(firstIndex, ring, renewEvery);
        top = firstIndex;
    }
}
