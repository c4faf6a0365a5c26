package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.error.CrashReport.Owner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lwjgl.vulkan.VK13;

/** The addresses of objects on the device, and those of the newest that are gone. Any thread. */
public final class AddressBook {
    /** Objects that are gone and still known. */
    static final int KEPT = 1024;

    private final Map<Key, Entry> present = new HashMap<>();
    private final Deque<Owner> gone = new ArrayDeque<>();
    /** Whether there ever was an address: naming takes no lock where there is none. */
    private volatile boolean used;

    private record Key(int type, long handle) {}

    private static final class Entry {
        private final List<Owner> ranges = new ArrayList<>(1);
        private String name;

        private Entry(String name) {
            this.name = name;
        }

        private Owner named(Owner range, boolean freed) {
            return new Owner(name, range.base(), range.bytes(), freed);
        }
    }

    /**
     * Notes that an object has addresses.
     *
     * @param type VkObjectType
     */
    public synchronized void bound(int type, long handle, long base, long bytes) {
        used = true;
        present.computeIfAbsent(new Key(type, handle), key -> new Entry(kind(type) + " without a name"))
                .ranges
                .add(new Owner("", base, bytes, false));
    }

    /** Names an object that has addresses; of others nothing is kept. */
    void named(int type, long handle, String name) {
        if (!used) {
            return;
        }
        synchronized (this) {
            Entry entry = present.get(new Key(type, handle));
            if (entry != null) {
                entry.name = kind(type) + " '" + name + "'";
            }
        }
    }

    /** Notes that an object loses the addresses that begin with {@code base}. */
    public synchronized void unbound(int type, long handle, long base) {
        Key key = new Key(type, handle);
        Entry entry = present.get(key);
        if (entry == null) {
            return;
        }
        for (Owner range : List.copyOf(entry.ranges)) {
            if (range.base() == base) {
                entry.ranges.remove(range);
                if (gone.size() == KEPT) {
                    gone.removeFirst();
                }
                gone.addLast(entry.named(range, true));
            }
        }
        if (entry.ranges.isEmpty()) {
            present.remove(key);
        }
    }

    /** Returns what has addresses from {@code first} to {@code last}, then what had some, newest first. */
    synchronized List<Owner> at(long first, long last) {
        List<Owner> found = new ArrayList<>();
        for (Entry entry : present.values()) {
            for (Owner range : entry.ranges) {
                if (meets(range, first, last)) {
                    found.add(entry.named(range, false));
                }
            }
        }
        gone.descendingIterator().forEachRemaining(range -> {
            if (meets(range, first, last)) {
                found.add(range);
            }
        });
        return found;
    }

    /** Addresses have no sign. */
    private static boolean meets(Owner range, long first, long last) {
        return range.bytes() > 0
                && Long.compareUnsigned(range.base(), last) <= 0
                && Long.compareUnsigned(range.base() + range.bytes() - 1, first) >= 0;
    }

    private static String kind(int type) {
        return switch (type) {
            case VK13.VK_OBJECT_TYPE_BUFFER -> "buffer";
            case VK13.VK_OBJECT_TYPE_IMAGE -> "texture";
            case VK13.VK_OBJECT_TYPE_DEVICE_MEMORY -> "memory";
            default -> "object of VkObjectType " + type;
        };
    }
}
