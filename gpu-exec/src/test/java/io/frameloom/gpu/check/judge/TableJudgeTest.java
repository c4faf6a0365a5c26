package io.frameloom.gpu.check.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Fakes;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.check.Records;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.SubmissionRecord.TableContents;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is remembered of dispatches that take from tables. */
class TableJudgeTest {
    private static final TableContents EMPTY = new TableContents() {
        @Override
        public String table() {
            return "everything";
        }

        @Override
        public List<ResourceUse> reads() {
            return List.of();
        }
    };

    /** The host may wait for one queue alone, which follows the others. */
    @Test
    void whatTheHostKnowsToBeDoneIsForgottenWhereverItHasWaited() {
        HostView host = new HostView();
        ResourceTable resources = new ResourceTable();
        HazardSink sink = (found, words) -> {};
        TableJudge tables = new TableJudge(resources, host, new HostJudge(resources, host, sink, List.of()), sink);
        SubmissionRecord.TableUse use = new SubmissionRecord.TableUse("read", List.of(), EMPTY);
        SubmissionRecord record =
                Records.submission(new Fakes.Queue("compute", 1), "frame", List.of(), 1, List.of(use));
        tables.submitted(new Submitted(record, 0, new QueueClocks(1), 5, 5), use);
        Past past = new Past();
        past.executed().raise(Clock.column(1, PipelineStage.COMPUTE_SHADER.ordinal()), 4);
        host.sees(new Signal(past, new Shown(), 1));
        tables.forgetSeen();
        assertThat(tables.pending()).isEqualTo(1);
        past.executed().raise(Clock.column(1, PipelineStage.COMPUTE_SHADER.ordinal()), 5);
        host.sees(new Signal(past, new Shown(), 2));
        tables.forgetSeen();
        assertThat(tables.pending()).isZero();
    }

    /** Two slots have parts of one buffer, of which another queue still writes one. */
    @Test
    void aSlotIsJudgedByThePartThatItHas() {
        Buffer buffer = Fakes.buffer("halves", 128);
        ResourceUse written = new ResourceUse.OfBuffer(buffer, 0, 64, Access.STORAGE_READ_COMPUTE, false);
        ResourceUse other = new ResourceUse.OfBuffer(buffer, 64, 64, Access.STORAGE_READ_COMPUTE, false);
        TableContents contents = new TableContents() {
            @Override
            public String table() {
                return "everything";
            }

            @Override
            public List<ResourceUse> reads() {
                return List.of(written, other);
            }
        };
        HazardChecker checker = new HazardChecker();
        GpuQueue queue = new Fakes.Queue("compute", 0);
        TimelinePoint filled = new TimelinePoint(queue, 1);
        checker.submitted(Records.submission(queue, "fill", List.of(), 1, List.of(write(buffer, 0, 128))));
        checker.hostWaited(filled);
        checker.submitted(Records.submission(queue, "write", List.of(), 2, List.of(write(buffer, 0, 64))));
        checker.submitted(Records.submission(
                new Fakes.Queue("graphics", 1),
                "frame",
                List.of(new Submission.Wait(filled, PipelineStage.ALL_COMMANDS.bit())),
                1,
                List.of(new SubmissionRecord.TableUse("read", List.of(), contents))));
        checker.taken(contents, "number 1", other, false);
        assertThat(checker.hazards()).isEmpty();
        checker.taken(contents, "number 0", written, false);
        assertThat(checker.hazards()).isNotEmpty();
    }

    private static SubmissionRecord.Command write(Buffer buffer, long offset, long bytes) {
        return new SubmissionRecord.Pass(
                "write", List.of(new ResourceUse.OfBuffer(buffer, offset, bytes, Access.STORAGE_WRITE_COMPUTE, true)));
    }
}
