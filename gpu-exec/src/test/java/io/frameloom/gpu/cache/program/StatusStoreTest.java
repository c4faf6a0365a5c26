package io.frameloom.gpu.cache.program;

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

    private void known(Digest program, boolean known) {
        assertThat(statuses.isKnown(program)).isEqualTo(known);
    }

    @Test
    void nothingIsKnownAtFirst() {
        known(VERTEX, false);
        assertThat(statuses.references(VERTEX)).isZero();
        statuses.evicted(VERTEX);
        assertThat(statuses.size()).isZero();
    }

    @Test
    void aPipelineVouchesForItsShaders() {
        statuses.kept(FIRST, List.of(VERTEX, FRAGMENT));
        known(FIRST, true);
        known(VERTEX, true);
        known(FRAGMENT, true);
        known(OTHER, false);
    }

    @Test
    void aSharedShaderIsForgottenWithTheLastPipeline() {
        statuses.kept(FIRST, List.of(VERTEX, FRAGMENT));
        statuses.kept(SECOND, List.of(VERTEX, OTHER));
        assertThat(statuses.references(VERTEX)).isEqualTo(2);
        statuses.evicted(FIRST);
        known(FIRST, false);
        known(VERTEX, true);
        known(FRAGMENT, false);
        statuses.evicted(SECOND);
        known(VERTEX, false);
        assertThat(statuses.size()).isZero();
    }

    @Test
    void aShaderThatIsEvictedAloneStaysKnown() {
        statuses.kept(VERTEX, List.of());
        statuses.kept(FIRST, List.of(VERTEX));
        statuses.evicted(VERTEX);
        known(VERTEX, true);
        statuses.evicted(FIRST);
        known(VERTEX, false);
    }

    @Test
    void aShaderThatIsKeptStaysKnownWithoutPipelines() {
        statuses.kept(VERTEX, List.of());
        statuses.kept(FIRST, List.of(VERTEX));
        statuses.evicted(FIRST);
        known(VERTEX, true);
        statuses.evicted(VERTEX);
        assertThat(statuses.size()).isZero();
    }

    @Test
    void keepingTwiceCountsOnce() {
        statuses.kept(FIRST, List.of(VERTEX));
        statuses.kept(FIRST, List.of(VERTEX));
        assertThat(statuses.references(VERTEX)).isEqualTo(1);
        statuses.kept(FIRST, List.of(FRAGMENT));
        known(VERTEX, false);
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
