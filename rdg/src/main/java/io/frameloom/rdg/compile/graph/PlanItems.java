package io.frameloom.rdg.compile.graph;

import java.util.Arrays;
import java.util.List;

/**
 * Makes the immutable lists of a plan without an array of its own for each. Boxes each number once, since the same pass
 * stands in a batch, a recording group and a render pass. The boxes are kept for the next compilation; they are values,
 * so plans may share them. One thread.
 */
public final class PlanItems {
    private Integer[] boxes = new Integer[0];
    /** What is put together, empty in between. */
    private Object[] items = new Object[16];

    /** Returns a number as an object, which is made once. */
    Integer boxed(int value) {
        if (value >= boxes.length) {
            int known = boxes.length;
            boxes = Arrays.copyOf(boxes, Math.max(value + 1, known + (known >> 1)));
            for (int i = known; i < boxes.length; i++) {
                boxes[i] = i;
            }
        }
        return boxes[value];
    }

    public List<Integer> boxed(int[] values) {
        return boxed(values, 0, values.length);
    }

    public List<Integer> boxed(int[] values, int begin, int end) {
        for (int i = begin; i < end; i++) {
            put(i - begin, boxed(values[i]));
        }
        return list(end - begin);
    }

    public List<List<Integer>> boxed(int[][] lists) {
        List<?>[] result = new List<?>[lists.length];
        for (int i = 0; i < lists.length; i++) {
            result[i] = boxed(lists[i]);
        }
        return this.<List<Integer>>all(result);
    }

    /** Puts an item at a place of the list that {@link #list} returns. */
    public void put(int index, Object item) {
        if (index >= items.length) {
            items = Arrays.copyOf(items, 2 * index);
        }
        items[index] = item;
    }

    /** Returns the first items, all of one type, that were put, and forgets them. */
    @SuppressWarnings("unchecked")
    public <E> List<E> list(int count) {
        E[] all = (E[]) items;
        List<E> list = switch (count) {
            case 0 -> List.of();
            case 1 -> List.of(all[0]);
            case 2 -> List.of(all[0], all[1]);
            case 3 -> List.of(all[0], all[1], all[2]);
            case 4 -> List.of(all[0], all[1], all[2], all[3]);
            case 5 -> List.of(all[0], all[1], all[2], all[3], all[4]);
            case 6 -> List.of(all[0], all[1], all[2], all[3], all[4], all[5]);
            default -> List.of(Arrays.copyOf(all, count));
        };
        Arrays.fill(items, 0, count, null);
        return list;
    }

    /** Returns the items of an array, which are all of one type. */
    @SuppressWarnings("unchecked")
    public <E> List<E> all(Object[] array) {
        return List.of((E[]) array);
    }
}
