package io.frameloom.benchmarks.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/**
 * The JVM's virtual threads, where it has them. This project is compiled for a JDK that has none, so the
 * factory is looked up once; a thread is then made through the plain interface.
 *
 * @param threads makes unstarted virtual threads
 * @param carriers number of threads that execute them
 */
public record VirtualThreadFactory(ThreadFactory threads, int carriers) {
    /** The name of those who use it in results. */
    public static final String CONTENDER = "virtual-threads";

    /** The first release with them. */
    public static final int SINCE = 21;

    private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

    /**
     * Finds them. The JVM reads the number of carriers when its first virtual thread is made, so only
     * the first call in a process can choose it.
     *
     * @param carriers number of threads to execute them, unless the command line of the JVM says another
     * @return the factory; empty on a JDK without virtual threads
     */
    public static Optional<VirtualThreadFactory> find(int carriers) {
        if (Runtime.version().feature() < SINCE) {
            return Optional.empty();
        }
        if (System.getProperty(PARALLELISM) == null) {
            System.setProperty(PARALLELISM, Integer.toString(carriers));
        }
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            Object virtual = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual))
                    .invoke();
            Object factory = lookup.findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class))
                    .invoke(virtual);
            return Optional.of(new VirtualThreadFactory((ThreadFactory) factory, Integer.getInteger(PARALLELISM)));
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IllegalStateException("this JVM's virtual threads cannot be used", failure);
        }
    }
}
