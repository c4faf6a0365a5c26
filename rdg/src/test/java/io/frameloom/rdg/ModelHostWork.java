package io.frameloom.rdg;

import java.nio.ByteBuffer;

/** What passes of the host do: what they write follows from the pass and from all that it reads. */
final class ModelHostWork {
    private static final int PATCH = 16;

    private final GraphModel model;

    /** The memory of one frame as the host sees it. */
    interface Memory {
        ByteBuffer read(int resource, long offset, int bytes);

        ByteBuffer write(int resource, long offset, int bytes);
    }

    ModelHostWork(GraphModel model) {
        this.model = model;
    }

    /** What is discarded is written whole; of anything else a patch, and one more for each use that reads. */
    void run(int pass, Memory memory) {
        GraphModel.Pass of = model.passes().get(pass);
        int number = of.name().hashCode();
        for (GraphModel.Use use : of.uses()) {
            for (int unit = use.mip(); use.access().writes() && unit < use.mip() + use.mips(); unit++) {
                number = number * 31 + 7;
                ByteBuffer target =
                        memory.write(use.resource(), unit * (long) GraphModel.UNIT_BYTES, GraphModel.UNIT_BYTES);
                boolean whole = use.discard() && of.condition() == null;
                for (int i = 0; i < (whole ? GraphModel.UNIT_BYTES : PATCH); i++) {
                    target.put(i, (byte) (number + i));
                }
                patches(of, target, memory);
            }
        }
    }

    private static void patches(GraphModel.Pass pass, ByteBuffer target, Memory memory) {
        int slot = 1;
        for (GraphModel.Use read : pass.uses()) {
            if (read.access().writes()) {
                continue;
            }
            for (int unit = read.mip(); unit < read.mip() + read.mips(); unit++) {
                ByteBuffer source =
                        memory.read(read.resource(), unit * (long) GraphModel.UNIT_BYTES, GraphModel.UNIT_BYTES);
                for (int i = 0; i < PATCH; i++) {
                    int at = PATCH * (slot % (GraphModel.UNIT_BYTES / PATCH)) + i;
                    target.put(at, (byte) (31 * source.get(i) + source.get(GraphModel.UNIT_BYTES - PATCH + i) + slot));
                }
                slot++;
            }
        }
    }
}
