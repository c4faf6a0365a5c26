package io.frameloom.samples.scene;

/**
 * What moves together as a pure function of time: matrices and weights that motions, lights and deformations of the
 * scene read. Any thread.
 */
public interface Rig {
    /** Nothing. */
    Rig NONE = new Rig() {
        @Override
        public int floats() {
            return 0;
        }

        @Override
        public void at(double seconds, float[] state) {}
    };

    /** Returns the length of the state, a multiple of four. */
    int floats();

    /** Writes the state at {@code seconds}. */
    void at(double seconds, float[] state);
}
