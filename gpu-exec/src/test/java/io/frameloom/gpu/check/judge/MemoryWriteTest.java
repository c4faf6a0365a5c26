package io.frameloom.gpu.check.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Fakes;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is kept of the barriers behind a write does not grow with their number. */
@Timeout(60)
class MemoryWriteTest {
    @Test
    void theSameBarrierToTheHostAgainAndAgainIsKeptOnce() {
        Buffer buffer = Fakes.readback("readback", 64);
        MemoryWrite write = new MemoryWrite(0, PipelineStage.COPY.bit(), 1, "copy");
        BarrierBatch.Scope toHost = new BarrierBatch.Scope(
                PipelineStage.COPY.bit(),
                MemoryAccess.COPY_WRITE.bit(),
                PipelineStage.HOST.bit(),
                MemoryAccess.HOST_READ.bit());
        write.madeVisible(buffer, new BarrierScope(0, 2, 2, toHost, new Past()));
        MemoryWrite once = write.copy();
        write.madeVisible(buffer, new BarrierScope(0, 3, 3, toHost, new Past()));
        assertThat(write.sameAs(once)).isTrue();
        write.madeVisible(buffer, new BarrierScope(1, 3, 3, toHost, new Past()));
        assertThat(write.sameAs(once)).as("of another queue").isFalse();
    }
}
