package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.device.ObjectKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectRegistryTest {
    private final List<String> closed = new ArrayList<>();

    private record Forgotten(ObjectKind objectKind, String name, List<String> closed) implements DeviceObject {
        @Override
        public void close() {
            if (name.startsWith("broken")) {
                throw new IllegalStateException(name);
            }
            closed.add(name);
        }
    }

    @Test
    void oneThatRefusesDoesNotKeepTheOthersOpen() {
        ObjectRegistry registry = new ObjectRegistry(false);
        registry.add(new Forgotten(ObjectKind.HEAP, "heap", closed));
        registry.add(new Forgotten(ObjectKind.TEXTURE, "broken texture", closed));
        registry.add(new Forgotten(ObjectKind.FRAME_CONTEXT, "broken context", closed));
        registry.add(new Forgotten(ObjectKind.BUFFER, "buffer", closed));
        List<Throwable> failures = new ArrayList<>();
        registry.closeAll("device", failures);
        assertThat(closed).containsExactly("buffer", "heap");
        assertThat(failures)
                .extracting(Throwable::getMessage)
                .containsExactly(
                        "device 'device' was closed before everything on it: frame context 'broken context', texture"
                                + " 'broken texture', buffer 'buffer', heap 'heap'; close these first",
                        "broken context",
                        "broken texture");
    }
}
