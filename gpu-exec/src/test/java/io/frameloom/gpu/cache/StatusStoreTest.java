package io.frameloom.gpu.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.cache.disk.Digest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StatusStoreTest {
    private static final Digest VERTEX = Digest.of(new byte[] {1});
    private static final Digest FRAGMENT = Digest.of(new byte[] {2});
    private static final Digest OTHER = Digest.of(new byte[] {3});
    private static final Digest FIRST = Digest.of(new byte[] {4});
    private static final Digest SECOND = Digest.of(new byte[] {5});

    private final StatusStore statuses = new StatusStore();

    private void is(Digest program, ProgramStatus status) {
        assertThat(statuses.status(program)).isEqualTo(status);
    }

    @Test
    void nothingIsKnownAtFirst() {
        is(VERTEX, ProgramStatus.UNKNOWN);
        assertThat(statuses.references(VERTEX)).isZero();
        statuses.evicted(VERTEX);
        assertThat(statuses.size()).isZero();
    }

    @Test
    void aPipelineVouchesForItsShaders() {
        statuses.kept(FIRST, List.of(VERTEX, FRAGMENT));
        is(FIRST, ProgramStatus.SUCCESS);
        is(VERTEX, ProgramStatus.SUCCESS);
        is(FRAGMENT, ProgramStatus.SUCCESS);
        is(OTHER, ProgramStatus.UNKNOWN);
    }

    @Test
    void aSharedShaderIsForgottenWithTheLastPipeline() {
        statuses.kept(FIRST, List.of(VERTEX, FRAGMENT));
        statuses.kept(SECOND, List.of(VERTEX, OTHER));
        assertThat(statuses.references(VERTEX)).isEqualTo(2);
        statuses.evicted(FIRST);
        is(FIRST, ProgramStatus.UNKNOWN);
        is(VERTEX, ProgramStatus.SUCCESS);
        is(FRAGMENT, ProgramStatus.UNKNOWN);
        statuses.evicted(SECOND);
        is(VERTEX, ProgramStatus.UNKNOWN);
        assertThat(statuses.size()).isZero();
    }

    @Test
    void aShaderThatIsEvictedAloneStaysKnown() {
        statuses.kept(VERTEX, List.of());
        statuses.kept(FIRST, List.of(VERTEX));
        statuses.evicted(VERTEX);
        is(VERTEX, ProgramStatus.SUCCESS);
        statuses.evicted(FIRST);
        is(VERTEX, ProgramStatus.UNKNOWN);
    }

    @Test
    void aShaderThatIsKeptStaysKnownWithoutPipelines() {
        statuses.kept(VERTEX, List.of());
        statuses.kept(FIRST, List.of(VERTEX));
        statuses.evicted(FIRST);
        is(VERTEX, ProgramStatus.SUCCESS);
        statuses.evicted(VERTEX);
        assertThat(statuses.size()).isZero();
    }

    @Test
    void keepingTwiceCountsOnce() {
        statuses.kept(FIRST, List.of(VERTEX));
        statuses.kept(FIRST, List.of(VERTEX));
        assertThat(statuses.references(VERTEX)).isEqualTo(1);
        statuses.kept(FIRST, List.of(FRAGMENT));
        is(VERTEX, ProgramStatus.UNKNOWN);
        statuses.evicted(FIRST);
        statuses.evicted(FIRST);
        assertThat(statuses.size()).isZero();
    }

    @Test
    void aShaderUsedTwiceByOnePipelineIsReleasedTwice() {
        statuses.kept(FIRST, List.of(VERTEX, VERTEX));
        assertThat(statuses.references(VERTEX)).isEqualTo(2);
        statuses.evicted(FIRST);
        assertThat(statuses.size()).isZero();
    }
}
