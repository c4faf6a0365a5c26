package io.frameloom.gpu.vulkan;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open objects of a device. Any thread. */
final class ObjectRegistry {
    private final Set<DeviceObject> open = ConcurrentHashMap.newKeySet();

    void add(DeviceObject object) {
        open.add(object);
    }

    void remove(DeviceObject object) {
        open.remove(object);
    }

    /**
     * Closes what is still open, users before what they use, and describes it.
     *
     * @param failures takes the failures of those that refuse; the others are closed all the same
     */
    List<String> closeAll(List<? super RuntimeException> failures) {
        List<DeviceObject> left = open.stream()
                .sorted(Comparator.comparing(DeviceObject::objectKind).thenComparing(DeviceObject::name))
                .toList();
        for (DeviceObject object : left) {
            try {
                object.close();
            } catch (RuntimeException failure) {
                failures.add(failure);
            }
        }
        return left.stream().map(DeviceObject::describe).toList();
    }
}
