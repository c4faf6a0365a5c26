package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which resources are one object of the driver, because they were imported from it. The first that is seen represents
 * all. A handle whose object is gone may be given to another one.
 */
final class SharedHandles {
    private final Map<Key, Resource> firsts = new HashMap<>();
    private final IdentityHashMap<Resource, Resource> others = new IdentityHashMap<>();
    /** By their representative. */
    private final IdentityHashMap<Resource, List<Resource>> stoodFor = new IdentityHashMap<>();

    private record Key(boolean buffer, long handle) {}

    private static Key key(Resource resource) {
        return new Key(resource instanceof Buffer, resource.nativeHandle());
    }

    /** Returns the representative of a resource; {@code gone} says whether a representative no longer exists. */
    Resource standIn(Resource resource, Predicate<Resource> gone) {
        boolean ofSwapchain = resource instanceof Texture texture && texture.isSwapchainImage();
        if (resource.nativeHandle() == 0 || ofSwapchain) {
            return resource;
        }
        Resource known = others.get(resource);
        if (known != null) {
            return known;
        }
        Resource first = firsts.get(key(resource));
        if (first == null || gone.test(first)) {
            firsts.put(key(resource), resource);
            return resource;
        }
        if (first != resource) {
            others.put(resource, first);
            stoodFor.computeIfAbsent(first, key -> new ArrayList<>(1)).add(resource);
        }
        return first;
    }

    Resource known(Resource resource) {
        return others.getOrDefault(resource, resource);
    }

    void forget(Resource first) {
        firsts.remove(key(first), first);
        List<Resource> gone = stoodFor.remove(first);
        if (gone != null) {
            gone.forEach(others::remove);
        }
    }
}
