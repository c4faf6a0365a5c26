package io.frameloom.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;

/**
 * Gives tests their {@link WaitGraphs}, and writes a dump before JUnit interrupts a test that has timed out; found
 * through {@code META-INF/services}.
 */
public final class WatchdogExtension implements Extension, ParameterResolver, PreInterruptCallback {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == WaitGraphs.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return test.getStore(Namespace.create(Watchdog.class))
                .getOrComputeIfAbsent(WaitGraphs.class, key -> new Scope(watchdog(test)), Scope.class);
    }

    @Override
    public void beforeThreadInterrupt(PreInterruptContext interrupted, ExtensionContext test) {
        watchdog(test)
                .dump(test.getDisplayName() + " timed out; interrupting thread \""
                        + interrupted.getThreadToInterrupt().getName() + '"');
    }

    private static Watchdog watchdog(ExtensionContext test) {
        Watchdog watchdog = test.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(Watchdog.class))
                .get(Watchdog.class, Watchdog.class);
        if (watchdog == null) {
            throw new IllegalStateException("No watchdog in this test session: "
                    + WatchdogSessionListener.class.getName()
                    + " was not called. Is META-INF/services of frameloom-testing on the class path?");
        }
        return watchdog;
    }

    /** Closed by JUnit with the test (or class) whose store holds it. */
    private static final class Scope implements WaitGraphs, AutoCloseable {

        private final Watchdog watchdog;
        private final List<Runnable> removals = new CopyOnWriteArrayList<>();

        Scope(Watchdog watchdog) {
            this.watchdog = watchdog;
        }

        @Override
        public void show(String name, Supplier<String> graph) {
            removals.add(watchdog.show(name, graph));
        }

        @Override
        public void close() {
            removals.forEach(Runnable::run);
        }
    }
}
