package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A command that is refused leaves its list as it was: what is right afterwards goes on from there. */
@Timeout(60)
class RefusalContractTest {
    private static CommandList secondary(CommandRig rig, String label) {
        CommandList list = rig.frame.beginSecondary(rig.queue(), label, null, List.of());
        list.end();
        return list;
    }

    @ParameterizedTest
    @EnumSource
    void aPassWithSomethingClosedIsNotOpened(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            BufferDescription words = BufferDescription.device(64, BufferUsage.COPY_DST);
            Buffer gone = rig.device.createBuffer("gone", words);
            gone.close();
            rig.execute(list -> {
                assertThatThrownBy(() -> list.beginPass(
                                "refused", List.of(new ResourceUse.OfBuffer(gone, 0, 64, Access.COPY_DST, true))))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'gone'");
                list.beginPass("right", List.of());
                list.endPass();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void noListIsExecutedWhenOneOfThemIsRefused(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            CommandList good = secondary(rig, "good");
            CommandList used = secondary(rig, "used");
            rig.execute(list -> {
                list.execute(List.of(used));
                assertThatThrownBy(() -> list.execute(List.of(good, used)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'used'");
                assertThatThrownBy(() -> list.execute(List.of(good, good)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'good' twice");
                list.execute(List.of(good));
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aListThatCannotEndYetGoesOn(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            rig.execute(list -> {
                list.beginPass("open", List.of());
                assertThatThrownBy(list::end)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'open'");
                list.endPass();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSubmissionThatIsRefusedTakesNoListAndNoValue(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            CommandList good = rig.frame.beginCommands(rig.queue(), "good");
            good.end();
            CommandList open = rig.frame.beginCommands(rig.queue(), "open");
            Submission both = new Submission("both", List.of(good, open), List.of());
            assertThatThrownBy(() -> rig.queue().submit(both))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'open'");
            assertThat(rig.queue().timeline().submitted()).isZero();
            open.end();
            assertThatThrownBy(() -> rig.queue().submit(new Submission("twice", List.of(good, open, good), List.of())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'good' twice");
            rig.queue().submit(both);
            rig.device.waitIdle();
        }
    }
}
