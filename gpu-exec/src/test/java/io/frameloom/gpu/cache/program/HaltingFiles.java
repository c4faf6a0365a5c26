package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.NativeFiles;
import io.frameloom.gpu.cache.disk.StoreFiles;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Real files, of which one change never ends: the process does, as if it had been killed in the middle of it. */
final class HaltingFiles {
    private static final Set<String> CHANGES =
            Set.of("createFolder", "write", "force", "move", "forceFolder", "delete", "touch");

    private final StoreFiles files = new NativeFiles();
    private final AtomicInteger stepsLeft;
    private final int status;

    private HaltingFiles(int step, int status) {
        stepsLeft = new AtomicInteger(step);
        this.status = status;
    }

    static StoreFiles at(int step, int status) {
        HaltingFiles halting = new HaltingFiles(step, status);
        return (StoreFiles) Proxy.newProxyInstance(
                StoreFiles.class.getClassLoader(),
                new Class<?>[] {StoreFiles.class},
                (proxy, method, arguments) -> halting.call(method, arguments));
    }

    private @Nullable Object call(Method method, @Nullable Object[] arguments) throws Throwable {
        if (CHANGES.contains(method.getName()) && isChange(method, arguments) && stepsLeft.decrementAndGet() == 0) {
            if (method.getName().equals("write")) {
                byte[] bytes = (byte[]) Objects.requireNonNull(arguments[1]);
                files.write((Path) Objects.requireNonNull(arguments[0]), Arrays.copyOf(bytes, bytes.length / 2));
            }
            Runtime.getRuntime().halt(status);
        }
        try {
            return method.invoke(files, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Nothing changes if what is to be deleted is not there. */
    private boolean isChange(Method method, @Nullable Object[] arguments) throws IOException {
        return !method.getName().equals("delete") || files.facts((Path) Objects.requireNonNull(arguments[0])) != null;
    }
}
