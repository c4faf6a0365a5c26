package io.frameloom.gpu.transfer.staging;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.resource.Buffer;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StagingRingTest {
    private static final int CAPACITY = 100;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(CAPACITY);
    private final StagingRing ring = new StagingRing(
            (Buffer) Proxy.newProxyInstance(
                    Buffer.class.getClassLoader(),
                    new Class<?>[] {Buffer.class},
                    (proxy, method, arguments) -> method.getName().equals("mapped") ? memory : null),
            CAPACITY);

    @Test
    void allOfItCanBeTakenAndNotAByteMore() {
        assertThat(ring.hasRoom(CAPACITY + 1, 1)).isFalse();
        assertThat(ring.hasRoom(CAPACITY, 1)).isTrue();
        assertThat(ring.take(CAPACITY, 1)).isZero();
        assertThat(ring.hasRoom(1, 1)).isFalse();
        ring.giveBack(1);
        assertThat(ring.hasRoom(1, 1)).isTrue();
        assertThat(ring.hasRoom(2, 1)).isFalse();
        assertThat(ring.take(1, 1)).isZero();
    }

    @Test
    void whatDoesNotFitBeforeTheEndBeginsAtZero() {
        ring.take(60, 1);
        long first = ring.head();
        ring.giveBack(first);
        assertThat(ring.hasRoom(40, 1)).isTrue();
        assertThat(ring.take(40, 1)).as("up to the last byte").isEqualTo(60);
        ring.giveBack(ring.head());
        ring.take(60, 1);
        ring.giveBack(ring.head());
        assertThat(ring.take(41, 1)).as("one byte more").isZero();
        assertThat(ring.hasRoom(20, 1))
                .as("what was left at the end is taken, too")
                .isFalse();
        assertThat(ring.hasRoom(19, 1)).isTrue();
    }

    @Test
    void offsetsAreAligned() {
        ring.take(5, 1);
        assertThat(ring.take(4, 12)).isEqualTo(12);
        assertThat(ring.take(4, 16)).isEqualTo(16);
        assertThat(ring.head()).isEqualTo(20);
        ring.giveBack(ring.head());
        assertThat(ring.take(5, 48)).isEqualTo(48);
        ring.giveBack(ring.head());
        assertThat(ring.take(5, 96)).as("96 is too near to the end").isZero();
    }

    @Test
    void withNothingTakenItBeginsAgain() {
        ring.take(60, 1);
        ring.giveBack(ring.head());
        assertThat(ring.hasRoom(CAPACITY, 1)).isFalse();
        ring.restart();
        assertThat(ring.hasRoom(CAPACITY, 1)).isTrue();
        assertThat(ring.take(CAPACITY, 1)).isZero();
    }
}
