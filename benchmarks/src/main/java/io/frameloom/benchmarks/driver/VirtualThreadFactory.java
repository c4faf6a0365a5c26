package io.frameloom.benchmarks.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadFactory;

/**
 * The JVM's virtual threads, where it has them. This project is compiled for a JDK that has none, so the
 * factory is looked up once; a thread is then made through the plain interface.
 */
public final class VirtualThreadFactory {
    /** The name of those who use it in results. */
    public static final String CONTENDER = "virtual-threads";

    /** The first release with them. */
    public static final int SINCE = 21;

    private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

    private VirtualThreadFactory() {}

    /** Whether this JDK has them. */
    public static boolean isThere() {
        return Runtime.version().feature() >= SINCE;
    }

    /**
     * Finds them. The JVM reads the number of carriers when its first virtual thread is made, so a process has one
     * number of them.
     *
     * @param carriers number of threads to execute them
     * @return makes unstarted virtual threads
     * @throws IllegalStateException when this process has another number of carriers
     */
    public static ThreadFactory of(int carriers) {
        synchronized (VirtualThreadFactory.class) {
            String asked = Integer.toString(carriers);
            String present = System.getProperty(PARALLELISM);
            if (present != null && !present.equals(asked)) {
                throw new IllegalStateException(
                        "virtual threads have " + present + " carriers in this JVM, and shall have " + asked);
            }
            System.setProperty(PARALLELISM, asked);
        }
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            Object virtual = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual))
                    .invoke();
            return (ThreadFactory) lookup.findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class))
                    .invoke(virtual);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IllegalStateException("this JVM's virtual threads cannot be used", failure);
        }
    }
}
