package io.frameloom.stress.gpu.compute;

/** How brackets and clips nest. */
enum Nest {
    /** Opens and closes alike. */
    RANDOM {
        @Override
        boolean opens(long index, long length) {
            return WordSource.random(index) < 0;
        }
    },
    /** Half open, half closed: as deep as can be. */
    MOUNTAIN {
        @Override
        boolean opens(long index, long length) {
            return index < length / 2;
        }
    },
    /**
     * Sections that nearly fill a stack of their size by turns with such that nearly empty it: the longest chains for a
     * look-back that follows links.
     */
    CHAINS {
        @Override
        boolean opens(long index, long length) {
            long at = index % SECTION;
            return index < length - length / 8 && (index / SECTION % 2 == 0 ? at >= 1 : at < 2);
        }
    },
    /** Half closed, half open: every close finds an empty stack, and every open stays. */
    VALLEY {
        @Override
        boolean opens(long index, long length) {
            return index >= length / 2;
        }
    },
    /** All open. */
    OPENS {
        @Override
        boolean opens(long index, long length) {
            return true;
        }
    },
    /** All close. */
    CLOSES {
        @Override
        boolean opens(long index, long length) {
            return false;
        }
    },
    /** Mountains beside each other, a little higher than a section is long, so that they begin everywhere in one. */
    COMB {
        @Override
        boolean opens(long index, long length) {
            return index % (2 * (SECTION + 1)) < SECTION + 1;
        }
    },
    /** Teeth of which each stands one higher than the one before, then everything closed. */
    STAIRCASE {
        @Override
        boolean opens(long index, long length) {
            int height = SECTION / 2 + 3;
            return index < length / 4 * 3 && index % (2 * height - 1) < height;
        }
    },
    /** An open left by each section, or two by every second one and one less by the next; then all of them closed. */
    DRAIN {
        @Override
        boolean opens(long index, long length) {
            long at = index % SECTION;
            boolean first = index / SECTION % 2 == 0;
            return index < length / 2 && (first ? at == 0 || at % 2 == 1 : at == 1 || (at > 1 && at % 2 == 0));
        }
    };

    private static final int SECTION = 1024;

    abstract boolean opens(long index, long length);
}
