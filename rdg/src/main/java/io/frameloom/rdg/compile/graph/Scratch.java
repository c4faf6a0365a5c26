package io.frameloom.rdg.compile.graph;

import java.util.Arrays;

/**
 * Memory that a phase of the compiler needs only while it runs; later phases and compilations use it again. A phase
 * {@link #mark}s, takes, and {@link #release}s what it took. No array of it may be part of a plan, and it holds numbers
 * and shapes only, so it keeps no graph alive. It stays as large as the largest graph needed.
 *
 * <p>Owned by one compilation at a time; one thread.
 */
public final class Scratch {
    private static final int FIRST_LENGTH = 64;

    private IntList[] lists = new IntList[16];
    private int[][] ints = new int[16][];
    private long[][] longs = new long[16][];
    /** For sorting; needs no release. */
    public final IndexSort sort = new IndexSort(FIRST_LENGTH);
    /** Known from plan to plan; needs no release. */
    public final CompletedShapes shapes = new CompletedShapes();

    private int takenLists;
    private int takenInts;
    private int takenLongs;

    public Scratch() {}

    /** Takes back everything, also from a compilation that failed. */
    public void reset() {
        takenLists = 0;
        takenInts = 0;
        takenLongs = 0;
    }

    /** Returns what {@link #release} needs to take back all that is taken from now on. */
    public long mark() {
        return ((long) takenLists << 40) | ((long) takenInts << 20) | takenLongs;
    }

    /** Takes back all that was taken since a mark. */
    public void release(long mark) {
        takenLists = (int) (mark >>> 40);
        takenInts = (int) (mark >>> 20) & 0xFFFFF;
        takenLongs = (int) mark & 0xFFFFF;
    }

    public IntList list() {
        if (takenLists == lists.length) {
            lists = Arrays.copyOf(lists, 2 * takenLists);
        }
        IntList list = lists[takenLists];
        if (list == null) {
            list = new IntList(FIRST_LENGTH);
            lists[takenLists] = list;
        }
        takenLists++;
        list.clear();
        return list;
    }

    /** Returns an array of at least this length, of any values. */
    public int[] ints(int atLeast) {
        if (takenInts == ints.length) {
            ints = Arrays.copyOf(ints, 2 * takenInts);
        }
        int[] array = ints[takenInts];
        if (array == null || array.length < atLeast) {
            array = new int[length(atLeast)];
            ints[takenInts] = array;
        }
        takenInts++;
        return array;
    }

    /** Returns an array whose first {@code count} numbers have one value. */
    public int[] ints(int count, int value) {
        int[] array = ints(count);
        Arrays.fill(array, 0, count, value);
        return array;
    }

    /** Returns an array whose first {@code count} numbers are 0, 1, 2 and so on. */
    public int[] identity(int count) {
        int[] array = ints(count);
        for (int i = 0; i < count; i++) {
            array[i] = i;
        }
        return array;
    }

    /** Returns an array of at least this length, of any values. */
    public long[] longs(int atLeast) {
        if (takenLongs == longs.length) {
            longs = Arrays.copyOf(longs, 2 * takenLongs);
        }
        long[] array = longs[takenLongs];
        if (array == null || array.length < atLeast) {
            array = new long[length(atLeast)];
            longs[takenLongs] = array;
        }
        takenLongs++;
        return array;
    }

    private static int length(int atLeast) {
        return Math.max(FIRST_LENGTH, atLeast + (atLeast >> 1));
    }
}
