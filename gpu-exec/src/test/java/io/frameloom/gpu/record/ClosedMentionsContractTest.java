package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.testing.TestEffort;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A list that names what was closed is neither ended nor executed nor submitted: drivers crash on such lists. Alike on
 * all backends; on Vulkan under the validation layer.
 */
class ClosedMentionsContractTest {
    static Stream<Arguments> namings() {
        return Stream.concat(namings(Naming.OUTSIDE), namings(Naming.RENDERING));
    }

    static Stream<Arguments> namingsOfSecondaries() {
        return namings(Naming.OUTSIDE);
    }

    /** One rule for all backends refuses them; in the usual run every second one shows that it does before the driver. */
    private static Stream<Arguments> namings(List<Naming> all) {
        return Stream.of(CommandRig.Backend.values())
                .flatMap(backend -> (backend == CommandRig.Backend.VULKAN ? TestEffort.share(all, 0, 2) : all)
                        .stream().map(naming -> Arguments.of(backend, naming)));
    }

    private static Submission of(CommandList... lists) {
        return new Submission("batch", List.of(lists), List.of());
    }

    private static void refused(ThrowingCallable use, String... words) {
        assertThatThrownBy(use)
                .isInstanceOf(IllegalStateException.class)
                .satisfies(refusal -> assertThat(refusal.getMessage()).contains(words))
                .hasMessageContaining("closed after it was recorded")
                .hasMessageContaining(
                        "record the list anew without it, and close things when the lists that name them were submitted");
    }

    private static void close(AutoCloseable thing) {
        try {
            thing.close();
        } catch (Exception e) {
            throw new AssertionError(thing + " cannot be closed", e);
        }
    }

    private static CommandList ended(MentionScene scene, String label, Naming.Recording recording) {
        CommandList list = scene.rig.frame.beginCommands(scene.rig.queue(), label);
        recording.record(scene, list);
        list.end();
        return list;
    }

    private static CommandList secondary(MentionScene scene, Naming.Recording recording) {
        CommandList list = scene.rig.frame.beginSecondary(scene.rig.queue(), "part", null, List.of());
        recording.record(scene, list);
        list.end();
        return list;
    }

    @ParameterizedTest
    @MethodSource("namings")
    void isNeitherEndedNorSubmitted(CommandRig.Backend backend, Naming naming) {
        try (MentionScene scene = new MentionScene(backend)) {
            CommandList good = ended(scene, "good", (s, list) -> list.fillBuffer(s.more, 0, 16, 1));
            CommandList list = ended(scene, "list", naming.recording());
            scene.stamps.reset();
            scene.queries.reset();
            CommandList open = scene.rig.frame.beginCommands(scene.rig.queue(), "open");
            naming.recording().record(scene, open);
            close(naming.gone().of(scene));
            refused(open::end, "end in command list 'open'", naming.words());
            assertThatThrownBy(open::end).hasMessageContaining("no longer recorded");
            for (int i = 0; i < 2; i++) {
                refused(
                        () -> scene.rig.queue().submit(of(good, list)),
                        "submission 'batch'",
                        "command list 'list'",
                        naming.words());
            }
            assertThat(scene.rig.queue().timeline().submitted()).isZero();
            scene.rig.queue().submit(of(good));
            scene.rig.device.waitIdle();
            scene.rig.frame.reset();
        }
    }

    @ParameterizedTest
    @MethodSource("namingsOfSecondaries")
    void isNeitherExecutedNorSubmittedByThoseThatExecuteIt(CommandRig.Backend backend, Naming naming) {
        try (MentionScene scene = new MentionScene(backend)) {
            CommandList unused = secondary(scene, naming.recording());
            scene.stamps.reset();
            scene.queries.reset();
            CommandList part = secondary(scene, naming.recording());
            CommandList list = ended(scene, "list", (s, primary) -> primary.execute(List.of(part)));
            CommandList open = scene.rig.frame.beginCommands(scene.rig.queue(), "open");
            scene.stamps.reset();
            scene.queries.reset();
            open.execute(List.of(secondary(scene, naming.recording())));
            CommandList late = scene.rig.frame.beginCommands(scene.rig.queue(), "late");
            close(naming.gone().of(scene));
            refused(() -> scene.rig.queue().submit(of(list)), "'batch'", "'list'", "list 'part'", naming.words());
            refused(open::end, "end in command list 'open'", "executes list 'part'", naming.words());
            refused(
                    () -> late.execute(List.of(unused)),
                    "execute in command list 'late'",
                    "list 'part'",
                    naming.words());
            late.end();
            scene.rig.queue().submit(of(late));
            scene.rig.device.waitIdle();
            scene.rig.frame.reset();
        }
    }

    /** Sets that were written for an earlier list of the same pool are bound again, and named all the same. */
    @ParameterizedTest
    @EnumSource
    void aListThatBindsWhatAnotherHasWrittenNamesItToo(CommandRig.Backend backend) {
        try (MentionScene scene = new MentionScene(backend)) {
            CommandList first = ended(scene, "first", (s, list) -> s.dispatch(list, s.words));
            CommandList second = ended(scene, "second", (s, list) -> s.dispatch(list, s.words));
            close(scene.words);
            refused(() -> scene.rig.queue().submit(of(second)), "'second'", "'words'");
            refused(() -> scene.rig.queue().submit(of(first)), "'first'", "'words'");
        }
    }

    /** What was bound but used by no command, and what was only refused, is not named. */
    @ParameterizedTest
    @EnumSource
    void whatNoCommandUsesMayBeClosed(CommandRig.Backend backend) {
        try (MentionScene scene = new MentionScene(backend)) {
            CommandList list = ended(scene, "list", (s, l) -> {
                l.bindPipeline(s.fill);
                l.bindBuffer("Target", s.words, 0, 256);
                l.bindBuffer("Target", s.more, 0, 256);
                l.dispatch(1, 1, 1);
                assertThatThrownBy(() -> l.fillBuffer(s.words, 0, -4, 1)).isInstanceOf(IllegalArgumentException.class);
            });
            close(scene.set);
            close(scene.words);
            close(scene.color);
            close(scene.sample);
            close(scene.triangle);
            scene.rig.queue().submit(of(list));
            scene.rig.device.waitIdle();
            scene.rig.frame.reset();
        }
    }

    /** What lists of an earlier round named is of no concern to those of the next. */
    @ParameterizedTest
    @EnumSource
    void aResetForgetsWhatWasNamed(CommandRig.Backend backend) {
        try (MentionScene scene = new MentionScene(backend)) {
            for (int round = 0; round < 3; round++) {
                Buffer gone = scene.rig.buffer("gone", 256, BufferUsage.COPY_DST);
                scene.rig.execute(list -> list.fillBuffer(gone, 0, 16, 1));
                gone.close();
                scene.rig.execute(list -> list.fillBuffer(scene.words, 0, 16, 1));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theFirstOfManyThingsIsFound(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            int count = 300;
            Buffer[] buffers = new Buffer[count];
            for (int i = 0; i < count; i++) {
                buffers[i] = rig.buffer("buffer " + i, 16, BufferUsage.COPY_DST);
            }
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            for (int round = 0; round < 2; round++) {
                for (Buffer buffer : buffers) {
                    list.fillBuffer(buffer, 0, 16, round);
                }
                CommandRig.full(list);
            }
            list.end();
            buffers[count - 1].close();
            refused(() -> rig.queue().submit(of(list)), "'buffer 299'");
            buffers[17].close();
            refused(() -> rig.queue().submit(of(list)), "'buffer 17'");
        }
    }
}
