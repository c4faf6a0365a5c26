package io.frameloom.gpu.check.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Fakes;
import io.frameloom.gpu.check.Records;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.SubmissionRecord.TableContents;
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
}
