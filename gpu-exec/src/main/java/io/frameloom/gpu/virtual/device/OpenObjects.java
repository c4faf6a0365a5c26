package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.device.CreationSites;
import io.frameloom.gpu.device.ObjectKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The open objects of a virtual device, with the lines of code that created them if that is asked for. Any thread. */
final class OpenObjects {
    private final boolean creationSites;
    private final Map<VirtualObject, String> open = new LinkedHashMap<>();

    OpenObjects(boolean creationSites) {
        this.creationSites = creationSites;
    }

    /** Notes an object that the application is given. */
    <T extends VirtualObject> T add(T object) {
        String what = ObjectKind.of(object).describe(object.name());
        String words = creationSites ? what + " created at " + CreationSites.current() : what;
        synchronized (this) {
            open.put(object, words);
        }
        return object;
    }

    /** Forgets an object that is closed; nothing if the application was never given it. */
    synchronized void remove(VirtualObject object) {
        open.remove(object);
    }

    /**
     * Closes what is still open, newest first: users before what they use.
     *
     * @param failures takes the failures of those that refuse; the others are closed all the same
     * @return what was still open, sorted
     */
    List<String> closeAll(List<? super RuntimeException> failures) {
        List<VirtualObject> left;
        List<String> words;
        synchronized (this) {
            left = new ArrayList<>(open.keySet());
            words = open.values().stream().sorted().toList();
        }
        for (int i = left.size() - 1; i >= 0; i--) {
            try {
                left.get(i).close();
            } catch (RuntimeException failure) {
                failures.add(failure);
            }
        }
        return words;
    }
}
