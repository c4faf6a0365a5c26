package io.frameloom.samples.match;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What is closed together, the latest first, whatever of it fails to close: failures are thrown at last. One thread.
 */
final class OwnedObjects implements AutoCloseable {
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();

    /** Takes something that is closed before what was taken earlier. */
    <T extends AutoCloseable> T own(T thing) {
        owned.push(thing);
        return thing;
    }

    /** Closes all, and throws the first failure with the others suppressed. */
    @Override
    public void close() {
        List<Throwable> failures = new ArrayList<>();
        while (!owned.isEmpty()) {
            close(owned.pop(), failures);
        }
        if (failures.isEmpty()) {
            return;
        }
        Throwable first = failures.get(0);
        failures.subList(1, failures.size()).forEach(first::addSuppressed);
        if (first instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) first;
    }

    /** Closes all after a failure, which is to be thrown: what fails to close is suppressed by it. */
    void closeAfter(Throwable failure) {
        try {
            close();
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    private static void close(AutoCloseable thing, List<Throwable> failures) {
        try {
            thing.close();
        } catch (RuntimeException | Error e) {
            failures.add(e);
        } catch (Exception e) {
            failures.add(new IllegalStateException(thing + " cannot be closed", e));
        }
    }
}
