package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Buffer;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the passes of a render pass use is collected without comparing each use with all before it. */
class RenderPassUsesTest {
    private static final int PASSES = 2_000;

    private final AtomicInteger comparisons = new AtomicInteger();

    private Buffer buffer(int number) {
        return (Buffer) Proxy.newProxyInstance(
                Buffer.class.getClassLoader(), new Class<?>[] {Buffer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("equals")) {
                        comparisons.incrementAndGet();
                        return proxy == arguments[0];
                    }
                    return method.getName().equals("hashCode") ? (Object) number : null;
                });
    }

    private static ResourceUse read(Buffer buffer) {
        return new ResourceUse.OfBuffer(buffer, 0, 64, Access.STORAGE_READ_FRAGMENT, false);
    }

    @Test
    void eachUseIsThereOnceAndComparedWithFew() {
        List<ResourceUse> all = new ArrayList<>();
        for (int i = 0; i < PASSES; i++) {
            all.add(read(buffer(i)));
        }
        RenderPassUses uses = new RenderPassUses();
        for (int i = 0; i < PASSES; i++) {
            uses.add(List.of(all.get(i), all.get(PASSES - 1 - i)));
        }
        assertThat(uses.all()).hasSize(PASSES);
        assertThat(comparisons.get()).isLessThan(20 * PASSES);
    }
}
