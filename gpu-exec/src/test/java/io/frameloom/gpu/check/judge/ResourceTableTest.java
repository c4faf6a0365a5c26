package io.frameloom.gpu.check.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Fakes;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.TextureLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Forks of a table cost what they touch, and begin with what was there before the newest submission. */
@Timeout(60)
class ResourceTableTest {
    private static final int MANY = 1_000;

    private final ResourceTable table = new ResourceTable();
    private final List<Buffer> buffers = IntStream.range(0, MANY)
            .mapToObj(i -> (Buffer) Fakes.buffer("buffer " + i, 64))
            .toList();

    private static MemoryWrite write(long sequence) {
        return new MemoryWrite(0, 1, sequence, "pass");
    }

    private static Region whole(ResourceTable table, Buffer buffer) {
        return table.of(buffer).regions().get(0);
    }

    @Test
    void aForkHasNothingOfItsOwnBeforeItTouchesIt() {
        buffers.forEach(buffer -> whole(table, buffer).addWrite(write(1), null));
        table.remember();
        ResourceTable fork = table.fork();
        assertThat(fork.size()).isZero();
        assertThat(whole(fork, buffers.get(7)).last().writes()).hasSize(1);
        assertThat(fork.size()).isEqualTo(1);
        assertThat(fork.fork().size()).isZero();
    }

    @Test
    void aForkBeginsBeforeTheNewestSubmission() {
        Buffer known = buffers.get(0);
        Buffer fresh = buffers.get(1);
        whole(table, known).layout = TextureLayout.GENERAL;
        table.remember();
        whole(table, known).layout = TextureLayout.PRESENT;
        whole(table, fresh).layout = TextureLayout.PRESENT;
        ResourceTable fork = table.fork();
        assertThat(whole(fork, known).layout).isEqualTo(TextureLayout.GENERAL);
        assertThat(whole(fork, fresh).layout).isEqualTo(TextureLayout.UNDEFINED);
        whole(fork, known).layout = TextureLayout.DEPTH;
        assertThat(whole(table, known).layout).isEqualTo(TextureLayout.PRESENT);
        table.remember();
        assertThat(whole(table.fork(), known).layout).isEqualTo(TextureLayout.PRESENT);
    }

    @Test
    void aForkKeepsWhatItsOriginalForgets() {
        buffers.forEach(buffer -> whole(table, buffer).defined = true);
        buffers.subList(0, 3).forEach(buffer -> whole(table, buffer).addWrite(write(5), null));
        table.remember();
        ResourceTable keeping = table.fork();
        ResourceTable following = table.fork();
        keeping.keepPending();
        assertThat(keeping.size()).isEqualTo(3);
        HostView host = new HostView();
        host.past().available().raise(Clock.column(0, 0), 5);
        table.retire(host, host);
        assertThat(whole(keeping, buffers.get(0)).last().writes()).hasSize(1);
        assertThat(whole(following, buffers.get(0)).last().writes()).isEmpty();
    }

    @Test
    void copiesOfAClockGoTheirOwnWays() {
        Clock clock = new Clock();
        clock.raise(3, 10);
        Clock copy = clock.copy();
        Clock other = copy.copy();
        copy.raise(3, 20);
        clock.raise(4, 7);
        assertThat(List.of(clock.get(3), copy.get(3), other.get(3))).containsExactly(10L, 20L, 10L);
        assertThat(List.of(clock.get(4), copy.get(4), other.get(4))).containsExactly(7L, 0L, 0L);
        other.raise(clock);
        assertThat(other.get(4)).isEqualTo(7);
        assertThat(other.sameAbove(new Clock(), clock)).isTrue();
        assertThat(copy.sameAbove(new Clock(), clock)).isFalse();
    }

    /** A buffer that counts how often it is asked whether it is closed. */
    private static final class Watched implements Buffer {
        private final Fakes.FakeBuffer buffer;
        private final AtomicInteger asked;

        Watched(String name, AtomicInteger asked) {
            this.buffer = Fakes.buffer(name, 64);
            this.asked = asked;
        }

        @Override
        public String name() {
            return buffer.name();
        }

        @Override
        public BufferDescription description() {
            return buffer.description();
        }

        @Override
        public ByteBuffer mapped() {
            return buffer.mapped();
        }

        @Override
        public ByteBuffer mapped(long offset, int bytes) {
            return buffer.mapped(offset, bytes);
        }

        @Override
        public @Nullable Placement placement() {
            return null;
        }

        @Override
        public boolean isClosed() {
            asked.incrementAndGet();
            return buffer.isClosed();
        }

        @Override
        public void close() {
            buffer.close();
        }
    }

    @Test
    void whatHasNothingLeftIsHardlyLookedAt() {
        AtomicInteger asked = new AtomicInteger();
        List<Watched> many = IntStream.range(0, MANY)
                .mapToObj(i -> new Watched("buffer " + i, asked))
                .toList();
        HostView host = new HostView();
        many.forEach(buffer -> whole(table, buffer).addWrite(write(1), null));
        host.past().available().raise(Clock.column(0, 0), 1);
        table.retire(host, host);
        asked.set(0);
        int rounds = 200;
        for (int i = 0; i < rounds; i++) {
            whole(table, many.get(i)).addWrite(write(i + 2), null);
            host.past().available().raise(Clock.column(0, 0), i + 2);
            table.retire(host, host);
            assertThat(whole(table, many.get(i)).last().writes()).isEmpty();
        }
        assertThat(asked.get()).isLessThan(100 * rounds);
        many.forEach(Watched::close);
        for (int i = 0; i < rounds && table.size() > 0; i++) {
            table.retire(host, host);
        }
        assertThat(table.size()).isZero();
    }

    @Test
    void whatIsClosedAndCompleteIsForgottenAtOnce() {
        HostView host = new HostView();
        buffers.forEach(buffer -> whole(table, buffer).addWrite(write(1), null));
        host.past().available().raise(Clock.column(0, 0), 1);
        table.retire(host, host);
        table.retire(host, host);
        Buffer last = buffers.get(MANY - 1);
        whole(table, last).addWrite(write(2), null);
        last.close();
        table.retire(host, host);
        assertThat(table.size()).isEqualTo(MANY);
        host.past().available().raise(Clock.column(0, 0), 2);
        table.retire(host, host);
        assertThat(table.size()).isEqualTo(MANY - 1);
    }
}
