package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where in a graph resources of the application are, found by their identity: what the driver knows one by, else the
 * object. A hash table with open addressing that keeps its memory.
 */
final class RegisteredResources {
    private static final int ROOM = 16;

    private @Nullable Resource[] resources = new Resource[ROOM];
    private long[] handles = new long[ROOM];
    private int[] indices = new int[ROOM];
    private int count;

    /** Returns the index of a resource, or -1. */
    int find(Resource resource) {
        long handle = resource.nativeHandle();
        int at = place(resource, handle);
        return resources[at] == null ? -1 : indices[at];
    }

    /** Notes the index of a resource, which takes the place of a former one. */
    void put(Resource resource, int index) {
        long handle = resource.nativeHandle();
        int at = place(resource, handle);
        if (resources[at] == null && ++count > resources.length / 2) {
            grow();
            at = place(resource, handle);
        }
        put(at, resource, handle, index);
    }

    private void put(int at, Resource resource, long handle, int index) {
        resources[at] = resource;
        handles[at] = handle;
        indices[at] = index;
    }

    void clear() {
        if (count > 0) {
            Arrays.fill(resources, null);
            count = 0;
        }
    }

    /** Returns where a resource is, or else the free place where it goes. */
    private int place(Resource resource, long handle) {
        int mask = resources.length - 1;
        int hash = handle != 0 ? Long.hashCode(handle) : System.identityHashCode(resource);
        int at = (hash ^ hash >>> 16) & mask;
        Resource known = resources[at];
        while (known != null && !isSame(known, handles[at], resource, handle)) {
            at = at + 1 & mask;
            known = resources[at];
        }
        return at;
    }

    private static boolean isSame(Resource known, long knownHandle, Resource resource, long handle) {
        return known == resource
                || (handle != 0 && handle == knownHandle && resource instanceof Texture == known instanceof Texture);
    }

    private void grow() {
        @Nullable Resource[] ofBefore = resources;
        long[] handlesBefore = handles;
        int[] indicesBefore = indices;
        int room = 2 * ofBefore.length;
        resources = new Resource[room];
        handles = new long[room];
        indices = new int[room];
        for (int i = 0; i < ofBefore.length; i++) {
            Resource each = ofBefore[i];
            if (each != null) {
                put(place(each, handlesBefore[i]), each, handlesBefore[i], indicesBefore[i]);
            }
        }
    }
}
