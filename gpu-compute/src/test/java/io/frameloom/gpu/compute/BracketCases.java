package io.frameloom.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Brackets to match, a sequential matching to compare with, and a way to run a matching on a device. */
final class BracketCases {
    private BracketCases() {}

    /** Says for each position whether it opens. */
    interface Shape {
        boolean opens(int at);
    }

    static int[] sequential(boolean[] opens) {
        int[] links = new int[opens.length];
        int[] stack = new int[opens.length + 1];
        int depth = 0;
        for (int i = 0; i < opens.length; i++) {
            links[i] = depth == 0 ? BracketMatch.NONE : stack[depth - 1];
            if (opens[i]) {
                stack[depth++] = i;
            } else if (depth > 0) {
                depth--;
            }
        }
        return links;
    }

    /**
     * The same links by another definition: the last element before that stands one lower, where an open raises what is
     * behind it and a close lowers it, never clamped. Found as previous smaller value, along the links found before.
     */
    static int[] previousSmaller(boolean[] opens) {
        int[] links = new int[opens.length];
        int[] depths = new int[opens.length];
        int depth = 0;
        for (int i = 0; i < opens.length; i++) {
            depths[i] = depth;
            int link = i - 1;
            while (link >= 0 && depths[link] >= depth) {
                link = links[link];
            }
            links[i] = link;
            depth += opens[i] ? 1 : -1;
        }
        return links;
    }

    static boolean[] of(int length, Shape shape) {
        boolean[] opens = new boolean[length];
        for (int i = 0; i < length; i++) {
            opens[i] = shape.opens(i);
        }
        return opens;
    }

    static boolean[] random(int length, double open, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return of(length, i -> random.nextDouble() < open);
    }

    /** Balanced brackets, all equally likely: a shuffled row, turned to begin behind its lowest depth. */
    static boolean[] balanced(int pairs, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean[] row = of(2 * pairs, i -> i < pairs);
        for (int i = row.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            boolean other = row[i];
            row[i] = row[j];
            row[j] = other;
        }
        int depth = 0;
        int lowest = 0;
        int start = 0;
        for (int i = 0; i < row.length; i++) {
            depth += row[i] ? 1 : -1;
            if (depth < lowest) {
                lowest = depth;
                start = i + 1;
            }
        }
        int turn = start;
        return of(row.length, i -> row[(i + turn) % row.length]);
    }

    /** Teeth of a height that stands one higher each time, then everything closed. */
    static boolean[] staircase(int length, int height) {
        int tooth = 2 * height - 1;
        int climbs = length * 3 / 4;
        return of(length, i -> i < climbs && i % tooth < height);
    }

    /**
     * One open left of each partition, then a drain that closes one of each. A partition has an even number of elements, so
     * every second one leaves two, of which the next closes one.
     */
    static boolean[] drain(int length, int partition) {
        return of(length, i -> {
            int at = i % partition;
            boolean first = i / partition % 2 == 0;
            return i < length / 2 && (first ? at == 0 || at % 2 == 1 : at == 1 || (at > 1 && at % 2 == 0));
        });
    }

    /** Returns of how many partitions a partition closes opens, for that which does so of most. */
    static int mostOwners(boolean[] opens, int partition) {
        int[] links = sequential(opens);
        int most = 0;
        for (int begin = 0; begin < opens.length; begin += partition) {
            Set<Integer> owners = new HashSet<>();
            for (int i = begin; i < Math.min(opens.length, begin + partition); i++) {
                if (!opens[i] && links[i] != BracketMatch.NONE) {
                    owners.add(links[i] / partition);
                }
            }
            most = Math.max(most, owners.size());
        }
        return most;
    }

    /**
     * Partitions that nearly fill a stack of their size by turns with such that nearly empty it: chains of links of half a
     * partition's elements for a look-back that follows links, as {@link io.frameloom.testing.BackLinks} counts them.
     */
    static boolean[] adversary(int length, int partition) {
        int tail = length / 8;
        return of(length, i -> i < length - tail && (i / partition % 2 == 0 ? i % partition >= 1 : i % partition < 2));
    }

    /** A row that never closes an empty stack, as the program of "The stack monoid revisited" makes it. */
    static boolean[] dyck(int length) {
        boolean[] opens = new boolean[length];
        long state = 20_170_705;
        int depth = 0;
        for (int i = 0; i < length; i++) {
            opens[i] = true;
            if (depth >= 2) {
                state = state * 742_938_285 % Integer.MAX_VALUE;
                opens[i] = state % 2 == 1;
            }
            depth += opens[i] ? 1 : -1;
        }
        return opens;
    }

    /** Stretches of random length, each of another kind. */
    static boolean[] mixture(int length, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean[] opens = new boolean[length];
        int at = 0;
        while (at < length) {
            int stretch = 1 + random.nextInt(1 << random.nextInt(14));
            int kind = random.nextInt(5);
            double share = random.nextDouble();
            for (int end = Math.min(length, at + stretch), begin = at; at < end; at++) {
                opens[at] = switch (kind) {
                    case 0 -> true;
                    case 1 -> false;
                    case 2 -> at % 2 == 0;
                    case 3 -> at - begin < (end - begin) / 2;
                    default -> random.nextDouble() < share;
                };
            }
        }
        return opens;
    }

    /** The adversarial inputs, by name, for a size of partitions. */
    static Map<String, boolean[]> adversarial(int length, int partition) {
        Map<String, boolean[]> cases = new LinkedHashMap<>();
        cases.put("all open", of(length, i -> true));
        cases.put("all close", of(length, i -> false));
        cases.put("mountain", of(length, i -> i < length / 2));
        cases.put("valley", of(length, i -> i >= length / 2));
        cases.put("mountains beside each other", of(length, i -> i % (length / 3 + 1) < length / 6));
        cases.put("pairs", of(length, i -> i % 2 == 0));
        cases.put("pairs askew", of(length, i -> i % 2 == 1));
        for (int height : new int[] {3, 5, 31, 32, 33, partition - 1, partition, partition + 1, 4 * partition}) {
            cases.put("comb of height " + height, of(length, i -> i % (2 * height) < height));
        }
        // As high as a node of the matching's tree is wide, beside such nodes and across them.
        int node = BracketLayout.FAN * partition;
        for (int shift : new int[] {0, 1, node / 2}) {
            cases.put("comb as high as a node, shifted by " + shift, of(length, i -> (i + shift) % (2 * node) < node));
        }
        for (int tenths : new int[] {30, 40, 45, 50, 55, 60, 70}) {
            cases.put("random, " + tenths + " % open", random(length, tenths / 100.0, tenths));
        }
        cases.put("balanced", balanced(length / 2, 3));
        cases.put("of the post's generator", dyck(length));
        cases.put("closes before, opens behind", of(length, i -> i >= length / 3 && (i > length / 2 || i % 2 == 0)));
        for (int height : new int[] {2, partition / 2 + 3, partition, 2 * partition}) {
            cases.put("staircase of height " + height, staircase(length, height));
        }
        cases.put("one open of each partition, drained", drain(length, partition));
        cases.put("chains of links", adversary(length, partition));
        for (int shift : new int[] {0, 1, 31, 32}) {
            cases.put(
                    "blocks of a partition shifted by " + shift,
                    of(length, i -> (i + shift) / partition % 3 != 1 || (i + shift) % partition > partition - 5));
        }
        return cases;
    }

    static int[] pack(BracketInput input, boolean[] opens) {
        int[] words = new int[(int) (input.bytes(opens.length) / Integer.BYTES)];
        int bits = Integer.SIZE / input.perWord();
        SplittableRandom random = new SplittableRandom(opens.length);
        for (int i = 0; i < opens.length; i++) {
            if (opens[i]) {
                int value = bits == 1 ? 1 : 1 << random.nextInt(bits);
                words[i / input.perWord()] |= value << (i % input.perWord() * bits);
            }
        }
        if (opens.length % input.perWord() != 0) {
            // What is behind the last element does not matter.
            words[words.length - 1] |= -1 << (opens.length % input.perWord() * bits);
        }
        return words;
    }

    /** Matches on a device. */
    static int[] run(
            ComputeRig rig, BracketMatch match, boolean[] opens, int inputOffset, int outputOffset, int times) {
        int mark = rig.mark();
        BufferRange input = rig.upload(pack(match.input(), opens), inputOffset);
        BufferRange scratch = rig.scratch(match.scratchBytes(opens.length));
        int[] links = rig.run(input, opens.length, outputOffset, times, new ComputeRig.Primitive() {
            @Override
            public List<ResourceUse> uses(BufferRange from, BufferRange to) {
                return match.uses(new BracketArguments(opens.length, from, to, scratch));
            }

            @Override
            public void record(CommandList list, BufferRange from, BufferRange to) {
                match.record(list, new BracketArguments(opens.length, from, to, scratch));
            }
        });
        rig.release(mark);
        return links;
    }
}
