package io.frameloom.gpu.record;

import io.frameloom.gpu.device.CreationSites;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The open objects of a device, with the lines of code that created them if that is asked for. Any thread. */
public final class ObjectRegistry {
    private static final String NOWHERE = "";

    private final boolean keepSites;
    private final Map<DeviceObject, String> open = new ConcurrentHashMap<>();

    public ObjectRegistry(boolean keepSites) {
        this.keepSites = keepSites;
    }

    public void add(DeviceObject object) {
        open.put(object, keepSites ? CreationSites.current() : NOWHERE);
    }

    public void remove(DeviceObject object) {
        open.remove(object);
    }

    /**
     * Closes what is still open, users before what they use.
     *
     * @param failures takes first an exception that names them, and the failures of those that refuse; the others are
     *     closed all the same
     */
    public void closeAll(String device, List<Throwable> failures) {
        List<Map.Entry<DeviceObject, String>> left = open.entrySet().stream()
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .sorted(Map.Entry.comparingByKey(
                        Comparator.comparing(DeviceObject::objectKind).thenComparing(DeviceObject::name)))
                .toList();
        if (!left.isEmpty()) {
            String words = left.stream()
                    .map(entry -> entry.getKey().describe()
                            + (entry.getValue().isEmpty() ? "" : " created at " + entry.getValue()))
                    .collect(Collectors.joining(", "));
            failures.add(new IllegalStateException(
                    "device '" + device + "' was closed before everything on it: " + words + "; close these first"));
        }
        for (Map.Entry<DeviceObject, String> entry : left) {
            try {
                entry.getKey().close();
            } catch (RuntimeException | Error failure) {
                failures.add(failure);
            }
        }
    }
}
