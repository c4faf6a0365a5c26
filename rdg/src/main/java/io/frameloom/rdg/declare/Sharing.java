package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.Resource;
import java.util.Set;

/**
 * Which queue families may use a resource.
 *
 * @param exclusive whether it belongs to one family at a time, which hands it over to the next. At the start and
 *     end of the frame, a resource from outside belongs to the family of the graphics queue; so does one that the
 *     frame gives away, at its end
 * @param families the families that share it, empty for all of the device
 */
public record Sharing(boolean exclusive, Set<Integer> families) {
    /** All families of the device, as for what Frameloom makes unless its description says otherwise. */
    public static final Sharing CONCURRENT = new Sharing(false, Set.of());

    /** One family at a time. */
    public static final Sharing EXCLUSIVE = new Sharing(true, Set.of());

    public Sharing {
        families = Set.copyOf(families);
    }

    /** Returns how a resource of the application is shared. */
    public static Sharing of(Resource external) {
        if (external.isExclusive()) {
            return EXCLUSIVE;
        }
        Set<Integer> families = external.sharedFamilies();
        return families.isEmpty() ? CONCURRENT : new Sharing(false, families);
    }

    /** Returns whether queues of a family may use it, handed over or not. */
    public boolean allows(int family) {
        return families.isEmpty() || families.contains(family);
    }
}
