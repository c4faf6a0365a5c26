package io.frameloom.gpu.compute;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A random case before it means anything, so that it can be made simpler without knowing what it means.
 *
 * @param fields how the case is made, as {@link Draws} give it
 * @param elements of each element a word and, in bit 32, a flag
 */
@SuppressWarnings("ArrayRecordComponent") // equal if nothing was made simpler: the same arrays
record FuzzInput(int[] fields, long[] elements) {
    private static final long FLAG = 1L << 32;
    private static final int SHOWN = 40;
    /** Elements up to which each is made simpler by itself. */
    private static final int FEW = 64;

    /** Stretches of random length, each of flags and words of another kind. */
    static long[] elements(SplittableRandom random, int most) {
        long[] elements = new long[1 + random.nextInt(1 + random.nextInt(most))];
        int at = 0;
        while (at < elements.length) {
            int begin = at;
            int end = Math.min(elements.length, at + 1 + random.nextInt(1 << random.nextInt(15)));
            int kind = random.nextInt(5);
            double share = random.nextDouble();
            int bound = 1 << random.nextInt(31);
            for (; at < end; at++) {
                boolean flag = switch (kind) {
                    case 0 -> true;
                    case 1 -> false;
                    case 2 -> at % 2 == 0;
                    case 3 -> at - begin < (end - begin) / 2;
                    default -> random.nextDouble() < share;
                };
                elements[at] = random.nextInt(bound) | (flag ? FLAG : 0);
            }
        }
        return elements;
    }

    static boolean flag(long element) {
        return (element & FLAG) != 0;
    }

    static int word(long element) {
        return (int) element;
    }

    boolean[] flags() {
        boolean[] flags = new boolean[elements.length];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = flag(elements[i]);
        }
        return flags;
    }

    /** The flags as bits. */
    int[] flagBits() {
        int[] bits = new int[(elements.length + 31) / 32];
        for (int i = 0; i < elements.length; i++) {
            bits[i / 32] |= flag(elements[i]) ? 1 << i % 32 : 0;
        }
        return bits;
    }

    int[] words() {
        return LongStream.of(elements).mapToInt(FuzzInput::word).toArray();
    }

    /** Returns a simpler input that still fails: nothing can be left out of it or be set to less by itself. */
    FuzzInput shrunk(Predicate<FuzzInput> fails) {
        FuzzInput simplest = this;
        FuzzInput before;
        do {
            before = simplest;
            simplest = simplest.withoutStretches(fails);
            simplest = simplest.withSmallFields(fails);
            simplest = simplest.withPlainStretches(fails);
            simplest = simplest.withSmallElements(fails);
        } while (!simplest.equals(before));
        return simplest;
    }

    private FuzzInput withoutStretches(Predicate<FuzzInput> fails) {
        FuzzInput simplest = this;
        for (int size = elements.length; size > 0; size /= 2) {
            int at = 0;
            while (at < simplest.elements.length) {
                FuzzInput shorter = simplest.without(at, Math.min(size, simplest.elements.length - at));
                if (fails.test(shorter)) {
                    simplest = shorter;
                } else {
                    at += size;
                }
            }
        }
        return simplest;
    }

    private FuzzInput without(int at, int count) {
        long[] rest = Arrays.copyOf(elements, elements.length - count);
        System.arraycopy(elements, at + count, rest, at, rest.length - at);
        return new FuzzInput(fields, rest);
    }

    private FuzzInput withSmallFields(Predicate<FuzzInput> fails) {
        FuzzInput simplest = this;
        for (int field = 0; field < fields.length; field++) {
            for (int step = simplest.fields[field]; step > 0; step /= 2) {
                while (step <= simplest.fields[field]) {
                    int[] less = simplest.fields.clone();
                    less[field] -= step;
                    FuzzInput simpler = new FuzzInput(less, simplest.elements);
                    if (!fails.test(simpler)) {
                        break;
                    }
                    simplest = simpler;
                }
            }
        }
        return simplest;
    }

    private FuzzInput withPlainStretches(Predicate<FuzzInput> fails) {
        FuzzInput simplest = this;
        for (long mask : new long[] {0, FLAG, ~FLAG}) {
            for (int size = elements.length; size > 0; size /= 2) {
                for (int at = 0; at < elements.length; at += size) {
                    FuzzInput plain = simplest.masked(at, Math.min(elements.length, at + size), mask);
                    if (!Arrays.equals(plain.elements, simplest.elements) && fails.test(plain)) {
                        simplest = plain;
                    }
                }
            }
        }
        return simplest;
    }

    private FuzzInput masked(int from, int to, long mask) {
        long[] plain = elements.clone();
        for (int i = from; i < to; i++) {
            plain[i] &= mask;
        }
        return new FuzzInput(fields, plain);
    }

    private FuzzInput withSmallElements(Predicate<FuzzInput> fails) {
        FuzzInput simplest = this;
        for (int i = 0; i < elements.length && elements.length <= FEW; i++) {
            for (long step = simplest.elements[i] & ~FLAG; step > 0; step /= 2) {
                while (step <= (simplest.elements[i] & ~FLAG)) {
                    long[] less = simplest.elements.clone();
                    less[i] -= step;
                    FuzzInput simpler = new FuzzInput(fields, less);
                    if (!fails.test(simpler)) {
                        break;
                    }
                    simplest = simpler;
                }
            }
        }
        return simplest;
    }

    @Override
    public String toString() {
        String rest = elements.length > SHOWN ? " ..." : "";
        return LongStream.of(elements)
                .limit(SHOWN)
                .mapToObj(element -> (flag(element) ? "!" : "") + word(element))
                .collect(Collectors.joining(" ", elements.length + " elements [", rest + "]"));
    }
}
