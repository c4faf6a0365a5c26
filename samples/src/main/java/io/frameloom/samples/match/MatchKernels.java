package io.frameloom.samples.match;

import io.frameloom.gpu.pipeline.CpuKernel;
import java.nio.ByteBuffer;

/** The shaders of the command for the virtual GPU. */
final class MatchKernels {
    private static final int RUN = 32;
    private static final int NONE = -1;
    private static final int FAR = -0x4000_0000;
    private static final int FOLDED = 4096;
    private static final int FOLD_WORDS = 7;

    private MatchKernels() {}

    private static int word(ByteBuffer bytes, int at) {
        return bytes.getInt(at * Integer.BYTES);
    }

    private static void put(ByteBuffer bytes, int at, int value) {
        bytes.putInt(at * Integer.BYTES, value);
    }

    /** Counts the brackets of each run of bytes. */
    static final class Count implements CpuKernel {
        @Override
        public void dispatch(Invocation invocation) {
            int bytes = invocation.pushConstants().getInt(0);
            ByteBuffer text = invocation.bytes("MatchText");
            ByteBuffer places = invocation.bytes("MatchPlaces");
            for (int begin = 0; begin < bytes; begin += RUN) {
                int brackets = 0;
                for (int i = begin; i < Math.min(bytes, begin + RUN); i++) {
                    brackets += Bracket.code(text.get(i)) < 0 ? 0 : 1;
                }
                put(places, begin / RUN, brackets);
            }
        }
    }

    /** Moves the brackets of each run together. */
    static final class Place implements CpuKernel {
        @Override
        public void dispatch(Invocation invocation) {
            int bytes = invocation.pushConstants().getInt(0);
            ByteBuffer text = invocation.bytes("MatchText");
            ByteBuffer places = invocation.bytes("MatchPlaces");
            ByteBuffer brackets = invocation.bytes("MatchBrackets");
            ByteBuffer opens = invocation.bytes("MatchOpens");
            int place = 0;
            for (int i = 0; i < bytes; i++) {
                if (i % RUN == 0) {
                    place = word(places, i / RUN);
                }
                int code = Bracket.code(text.get(i));
                if (code >= 0) {
                    put(brackets, place, i << 3 | code);
                    put(opens, place, code & 1);
                    place++;
                }
            }
            put(invocation.bytes("MatchCount"), 0, place);
        }
    }

    /** Marks what has no partner. */
    static final class Mark implements CpuKernel {
        @Override
        public void dispatch(Invocation invocation) {
            int count = invocation.pushConstants().getInt(0);
            ByteBuffer brackets = invocation.bytes("MatchBrackets");
            ByteBuffer links = invocation.bytes("MatchLinks");
            ByteBuffer alone = invocation.bytes("MatchOpens");
            for (int i = 0; i < count; i++) {
                if (!Bracket.opens(word(brackets, i))) {
                    int link = word(links, i);
                    put(alone, link == NONE ? i : link, link == NONE ? 1 : 0);
                }
            }
        }
    }

    /** Folds groups of brackets. */
    static final class Fold implements CpuKernel {
        @Override
        public void dispatch(Invocation invocation) {
            int count = invocation.pushConstants().getInt(0);
            for (int begin = 0; begin < count; begin += FOLDED) {
                fold(invocation, begin, Math.min(count, begin + FOLDED));
            }
        }

        private static void fold(Invocation invocation, int begin, int end) {
            ByteBuffer brackets = invocation.bytes("MatchBrackets");
            ByteBuffer links = invocation.bytes("MatchLinks");
            ByteBuffer alone = invocation.bytes("MatchOpens");
            ByteBuffer keep = invocation.bytes("MatchKeep");
            int net = 0;
            int lowest = 0;
            int rise = FAR;
            int top = 0;
            int wrong = 0;
            int wrongClose = NONE;
            int wrongOpen = NONE;
            for (int i = begin; i < end; i++) {
                int bracket = word(brackets, i);
                int bits = i % RUN == 0 ? 0 : word(keep, i / RUN);
                put(keep, i / RUN, bits | word(alone, i) << (i % RUN));
                if (Bracket.opens(bracket)) {
                    net++;
                    lowest++;
                } else {
                    net--;
                    lowest = Math.max(0, lowest - 1);
                    int link = word(links, i);
                    if (link != NONE && Bracket.kind(word(brackets, link)) != Bracket.kind(bracket)) {
                        if (wrong == 0) {
                            wrongClose = bracket;
                            wrongOpen = word(brackets, link);
                        }
                        wrong++;
                    }
                }
                rise = Math.max(rise, net);
                top = Math.max(top, lowest);
            }
            int[] folded = {net, lowest, rise, top, wrong, wrongClose, wrongOpen};
            for (int w = 0; w < FOLD_WORDS; w++) {
                put(invocation.bytes("MatchFolds"), begin / FOLDED * FOLD_WORDS + w, folded[w]);
            }
        }
    }
}
