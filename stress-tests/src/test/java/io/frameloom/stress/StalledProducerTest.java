package io.frameloom.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.internal.NamedThreadQueue;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Race 13: a producer has claimed its place in a queue and stands still before it stores the item. The
 * first half of its {@code offer} is done here through the queue's private fields, since nothing else can
 * stop a thread there. Here and not beside the queue, because here nothing is in a module that keeps its
 * privates.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StalledProducerTest {
    @Test
    void theConsumerServesTheOtherQueuesAndDoesNotPark() throws ReflectiveOperationException {
        NamedThreadQueue<String> queues = new NamedThreadQueue<>(8);
        StalledOffer stalled = new StalledOffer(queues, "localHigh");
        queues.offer("behind the stalled one", true, true);
        queues.offer("main normal", false, false);

        assertThat(queues.poll(false)).isEqualTo("main normal");
        assertThat(queues.poll(false)).isNull();
        assertThat(queues.isEmpty(false)).isFalse();
        assertThat(queues.isEmpty(true)).isFalse();

        stalled.finish("stalled");
        assertThat(queues.poll(false)).isEqualTo("stalled");
        assertThat(queues.poll(false)).isEqualTo("behind the stalled one");
        assertThat(queues.isEmpty(false)).isTrue();
    }

    /** One {@code offer} into an empty queue, in two halves. */
    private static final class StalledOffer {
        private static final int INDEX_STEP = 2;

        private final Object[] buffer;

        StalledOffer(NamedThreadQueue<?> queues, String name) throws ReflectiveOperationException {
            Field field = NamedThreadQueue.class.getDeclaredField(name);
            field.setAccessible(true);
            Object queue = field.get(queues);
            assertThat(queue).isInstanceOf(MpscUnboundedVarHandleArrayQueue.class);
            Method claim = declaring(queue, "BaseMpscLinkedVarHandleArrayQueueProducerFields")
                    .getDeclaredMethod("casProducerIndex", long.class, long.class);
            claim.setAccessible(true);
            assertThat(claim.invoke(queue, 0L, (long) INDEX_STEP)).isEqualTo(true);
            Field items = declaring(queue, "BaseMpscLinkedVarHandleArrayQueueColdProducerFields")
                    .getDeclaredField("producerBuffer");
            items.setAccessible(true);
            buffer = (Object[]) items.get(queue);
        }

        private static Class<?> declaring(Object queue, String simpleName) {
            Class<?> at = queue.getClass();
            while (!at.getSimpleName().equals(simpleName)) {
                at = at.getSuperclass();
            }
            return at;
        }

        void finish(String item) {
            buffer[0] = item;
        }
    }
}
