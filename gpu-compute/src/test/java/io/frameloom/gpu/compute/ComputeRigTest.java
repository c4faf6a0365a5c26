package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A primitive that writes where it must not is found out. */
@Timeout(60)
class ComputeRigTest {
    @ParameterizedTest
    @EnumSource
    void writesBesideWhatIsWritten(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            BufferRange input = rig.upload(new int[] {1, 2, 3}, 1);
            BufferRange scratch = rig.scratch(4 * 1000 + 1);
            rig.run(input, 5, 2, 3, writing(scratch, scratch.offset(), 4 * 1001));
            refused("before the scratch memory", rig, input, writing(scratch, scratch.offset() - 4, 4));
            refill(rig, scratch);
            refused("behind the scratch memory", rig, input, writing(scratch, scratch.offset() + 4 * 1001, 4));
            refill(rig, scratch);
            assertThatThrownBy(() -> rig.run(input, 5, 2, 1, new ComputeRig.Primitive() {
                        @Override
                        public List<ResourceUse> uses(BufferRange from, BufferRange to) {
                            return List.of(fill(to, to.offset() + to.bytes(), 4));
                        }

                        @Override
                        public void record(CommandList list, BufferRange from, BufferRange to) {
                            list.fillBuffer(to.buffer(), to.offset() + to.bytes(), 4, 9);
                        }
                    }))
                    .hasMessageContaining("behind the output");
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesOfInputs(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            int[] words = {1, 2, 3};
            BufferRange input = rig.upload(words, 1);
            BufferRange scratch = rig.scratch(8);
            rig.run(input, 5, 2, 1, writing(scratch, scratch.offset(), 4));
            input.buffer().mapped().putInt(4 * 3, 7);
            refused("an input of 3", rig, input, writing(scratch, scratch.offset(), 4));
        }
    }

    /** As one that finds its work done by a state that nobody has reset. */
    @ParameterizedTest
    @EnumSource
    void aLaterRunThatWritesNothing(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            BufferRange input = rig.upload(new int[] {1, 2, 3}, 1);
            for (int last = 1; last <= 3; last++) {
                int[] left = {last};
                ComputeRig.Primitive some = new ComputeRig.Primitive() {
                    @Override
                    public List<ResourceUse> uses(BufferRange from, BufferRange to) {
                        return List.of(fill(to, to.offset(), to.bytes()));
                    }

                    @Override
                    public void record(CommandList list, BufferRange from, BufferRange to) {
                        if (left[0]-- > 0) {
                            list.fillBuffer(to.buffer(), to.offset(), to.bytes(), 9);
                        }
                    }
                };
                if (last == 3) {
                    assertThat(rig.run(input, 5, 2, 3, some)).containsOnly(9);
                } else {
                    assertThatThrownBy(() -> rig.run(input, 5, 2, 3, some))
                            .isInstanceOf(AssertionError.class)
                            .hasMessageContaining("differs from the first run in run " + (last + 1) + " of 3");
                }
            }
        }
    }

    /** The dispatch that resets the tickets of a scan with look-back is left out from the second run on; drivers alone. */
    @Test
    void ticketsThatAreNotReset() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            ScanOperator sum = ScanOperator.sum(ElementType.U32);
            PrefixScan scan = rig.own(PrefixScan.create(rig.device, sum, ScanOptions.of(ScanVariant.LOOK_BACK)));
            ScanCases.Run run = new ScanCases.Run(ScanKind.INCLUSIVE, ScanCases.random(sum, 50_000, 1), null, 0, 0, 2);
            run.on(rig, scan);
            int[] clears = new int[1];
            rig.lists = ChosenDispatches.by(pipeline -> !pipeline.endsWith("-clear") || ++clears[0] == 1);
            assertThatThrownBy(() -> run.on(rig, scan))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("differs from the first run in run 2 of 2");
            assertThat(clears[0]).isEqualTo(2);
        }
    }

    private static void refused(String words, ComputeRig rig, BufferRange input, ComputeRig.Primitive primitive) {
        assertThatThrownBy(() -> rig.run(input, 5, 2, 1, primitive))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(words);
    }

    private static void refill(ComputeRig rig, BufferRange scratch) {
        rig.execute(list -> ComputeRig.fill(list, scratch.buffer()));
    }

    private static ComputeRig.Primitive writing(BufferRange range, long offset, long bytes) {
        return new ComputeRig.Primitive() {
            @Override
            public List<ResourceUse> uses(BufferRange from, BufferRange to) {
                return List.of(fill(range, offset, bytes));
            }

            @Override
            public void record(CommandList list, BufferRange from, BufferRange to) {
                list.fillBuffer(range.buffer(), offset, bytes, 9);
            }
        };
    }

    private static ResourceUse fill(BufferRange range, long offset, long bytes) {
        return new ResourceUse.OfBuffer(range.buffer(), offset, bytes, Access.COPY_DST, true);
    }
}
