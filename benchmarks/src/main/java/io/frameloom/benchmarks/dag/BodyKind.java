package io.frameloom.benchmarks.dag;

import java.util.Locale;

/** The kinds of work that the driver offers. */
public enum BodyKind {
    /** One class whose body does nothing: flatters every contender, because the call is inlined away. */
    EMPTY {
        @Override
        public NodeBody of(int node) {
            return EMPTY_BODY;
        }
    },
    /** Four classes taking turns, each counting in a field: the call stays a virtual one. */
    MEGAMORPHIC {
        @Override
        public NodeBody of(int node) {
            return switch (node & 3) {
                case 0 -> new Add();
                case 1 -> new Xor();
                case 2 -> new Shift();
                default -> new Negate();
            };
        }
    },
    /** About one microsecond: 600 dependent xorshift steps. */
    WORK1US {
        @Override
        public NodeBody of(int node) {
            return new XorShift(node);
        }
    };

    private static final NodeBody EMPTY_BODY = () -> {};

    /** The work of one node. */
    public abstract NodeBody of(int node);

    /** Gives every node of a graph work of this kind. */
    public Workload on(Dag dag) {
        NodeBody[] bodies = new NodeBody[dag.nodes()];
        for (int node = 0; node < bodies.length; node++) {
            bodies[node] = of(node);
        }
        return new Workload(dag, bodies);
    }

    /** The name on the command line and in results. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static final class Add implements NodeBody {
        private int value;

        @Override
        public void run() {
            value++;
        }
    }

    private static final class Xor implements NodeBody {
        private int value;

        @Override
        public void run() {
            value ^= 0x55;
        }
    }

    private static final class Shift implements NodeBody {
        private int value = 1;

        @Override
        public void run() {
            value = value << 1 | value >>> 31;
        }
    }

    private static final class Negate implements NodeBody {
        private int value = 1;

        @Override
        public void run() {
            value = -value;
        }
    }

    private static final class XorShift implements NodeBody {
        private static final int STEPS = 600;

        private long value;

        XorShift(int node) {
            value = node + 1L;
        }

        @Override
        public void run() {
            long x = value;
            for (int step = 0; step < STEPS; step++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
            value = x;
        }
    }
}
