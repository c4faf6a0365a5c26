package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who uses a list after the reset of its context is told so, although its object is handed out again one day; without
 * validation, since with it none is.
 */
@Timeout(60)
class RecycledListsContractTest {
    private static void refused(ThrowingCallable use, String list, String state) {
        assertThatThrownBy(use)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(list)
                .hasMessageContaining(state);
    }

    private static Submission of(CommandList list) {
        return new Submission("late", List.of(list), List.of());
    }

    private static CommandList ended(CommandList list) {
        list.end();
        return list;
    }

    @ParameterizedTest
    @EnumSource
    void aListOfTheRoundBeforeIsRefusedWhileOthersAreRecorded(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend, false)) {
            FrameContext frame = rig.frame;
            GpuQueue queue = rig.queue();
            for (int round = 0; round < 5; round++) {
                CommandList stale = ended(frame.beginCommands(queue, "list"));
                CommandList part = ended(frame.beginSecondary(queue, "part", null, List.of()));
                frame.reset();
                CommandList next = frame.beginCommands(queue, "next");
                CommandList nextPart = ended(frame.beginSecondary(queue, "next part", null, List.of()));
                assertThat(next).isNotSameAs(stale);
                assertThat(nextPart).isNotSameAs(part);
                refused(() -> queue.submit(of(stale)), "'list'", "recycled");
                refused(stale::end, "'list'", "no longer recorded");
                refused(() -> stale.insertLabel("late"), "'list'", "no longer recorded");
                refused(() -> next.execute(List.of(part)), "'part'", "recycled");
                next.execute(List.of(nextPart));
                next.end();
                queue.submit(of(next));
                rig.device.waitIdle();
                frame.reset();
            }
        }
    }

    /** The object of the secondary list is another list's by then. */
    @ParameterizedTest
    @EnumSource
    void aListThatExecutesWhatWasHandedOutAgainIsNotSubmitted(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend, false)) {
            GpuQueue queue = rig.queue();
            FrameContext other = rig.own(rig.device.createFrameContext("other"));
            CommandList secondary = ended(other.beginSecondary(queue, "secondary", null, List.of()));
            CommandList list = rig.frame.beginCommands(queue, "list");
            list.execute(List.of(secondary));
            CommandList open = rig.frame.beginCommands(queue, "open");
            open.execute(List.of(ended(other.beginSecondary(queue, "more", null, List.of()))));
            list.end();
            for (int round = 0; round < 4; round++) {
                other.reset();
                CommandList next = other.beginSecondary(queue, "next", null, List.of());
                refused(() -> queue.submit(of(list)), "'list'", "'secondary', which was recycled");
                next.end();
                refused(() -> queue.submit(of(list)), "'list'", "'secondary', which was recycled");
            }
            refused(open::end, "'open'", "'more', which was recycled");
            assertThat(queue.timeline().submitted()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoLooksForMistakesIsGivenAnotherListEachTime(CommandRig.Backend backend) {
        SubmissionObserver observer = new SubmissionObserver() {
            @Override
            public void submitted(SubmissionRecord submission) {}

            @Override
            public void hostWaited(TimelinePoint point) {}
        };
        for (CommandRig opened : List.of(new CommandRig(backend, true), new CommandRig(backend, false, observer))) {
            try (CommandRig rig = opened) {
                Set<CommandList> given = Collections.newSetFromMap(new IdentityHashMap<>());
                for (int round = 0; round < 5; round++) {
                    assertThat(given.add(ended(rig.frame.beginCommands(rig.queue(), "list"))))
                            .isTrue();
                    rig.frame.reset();
                }
            }
        }
    }

    /** Nothing of the list before is left in the one that its object is used for. */
    @ParameterizedTest
    @EnumSource
    void aListIsAsNewWhateverTheOneBeforeItHasLeftOpen(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend, false)) {
            for (int round = 0; round < 5; round++) {
                CommandList left = rig.frame.beginCommands(rig.queue(), "left open");
                left.beginLabel("label");
                left.beginPass("pass", List.of());
                rig.frame.reset();
                CommandList list = rig.frame.beginCommands(rig.queue(), "list " + round);
                assertThat(list.label()).isEqualTo("list " + round);
                refused(list::endPass, "'list " + round + "'", "none is open");
                refused(list::endLabel, "'list " + round + "'", "none is open");
                list.end();
                rig.queue().submit(of(list));
                rig.device.waitIdle();
                rig.frame.reset();
            }
        }
    }
}
