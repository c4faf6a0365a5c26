package io.frameloom.gpu.vulkan.driver;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks the families that share an engine's resource by its import.
 *
 * @param count number of families of the device
 * @param used families that have a queue here
 */
public record ImportedSharing(int count, Set<Integer> used) {
    /** Returns a check for a device with queues of the given families. */
    public static ImportedSharing of(int count, int... used) {
        Set<Integer> families = new TreeSet<>();
        for (int family : used) {
            families.add(family);
        }
        return new ImportedSharing(count, families);
    }

    /**
     * Returns the families, none for an exclusive resource.
     *
     * @param what kind and name of the resource
     * @throws IllegalArgumentException if the resource cannot have been created so, or no queue could use it
     */
    public Set<Integer> check(String what, int... families) {
        if (families.length == 0) {
            return Set.of();
        }
        Set<Integer> distinct = new TreeSet<>();
        for (int family : families) {
            if (family < 0 || family >= count) {
                throw new IllegalArgumentException(
                        what + " is shared by family " + family + ", the device has " + count);
            }
            distinct.add(family);
        }
        if (distinct.size() == 1) {
            throw new IllegalArgumentException(
                    what + " is shared by family " + distinct.iterator().next()
                            + " alone; name all families that it was created for, or none if it is exclusive");
        }
        if (Collections.disjoint(used, distinct)) {
            throw new IllegalArgumentException(what + " is shared by families " + distinct
                    + ", but the queues of this device are of families " + used);
        }
        return Collections.unmodifiableSet(distinct);
    }
}
