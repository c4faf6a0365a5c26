package io.frameloom.testing;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.store.Namespace;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Puts a {@link Watchdog} beside every test session; found through {@code META-INF/services}.
 *
 * <p>Every test, class or container that starts or ends counts as progress. The limit is {@value #LIMIT_PROPERTY}
 * seconds, {@value #DEFAULT_LIMIT_SECONDS} where the property is not set: above JUnit's own default timeout, so that a
 * test which can be interrupted fails alone.
 */
public final class WatchdogSessionListener implements LauncherSessionListener {

    static final String LIMIT_PROPERTY = "frameloom.testWatchdogSeconds";
    static final int DEFAULT_LIMIT_SECONDS = 300;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Duration limit = Duration.ofSeconds(Integer.getInteger(LIMIT_PROPERTY, DEFAULT_LIMIT_SECONDS));
        // Not System.err: surefire replaces it by a buffered one, which does not outlive a halted JVM.
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        Watchdog watchdog = new Watchdog(limit, out, Runtime.getRuntime()::halt);
        session.getStore().put(namespace(), Watchdog.class, watchdog);
        session.getLauncher().registerTestExecutionListeners(new ProgressListener(watchdog));
        watchdog.start();
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        Watchdog watchdog = session.getStore().get(namespace(), Watchdog.class, Watchdog.class);
        if (watchdog != null) {
            watchdog.stop();
        }
    }

    private static Namespace namespace() {
        return Namespace.create(Watchdog.class);
    }

    private record ProgressListener(Watchdog watchdog) implements TestExecutionListener {

        @Override
        public void executionStarted(TestIdentifier test) {
            watchdog.progress("the start of " + test.getUniqueId());
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            watchdog.progress("the end of " + test.getUniqueId());
        }
    }
}
