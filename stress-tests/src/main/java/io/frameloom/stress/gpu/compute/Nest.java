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
    };

    private static final int SECTION = 1024;

    abstract boolean opens(long index, long length);
}
