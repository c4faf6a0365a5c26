package io.frameloom.gpu.cache.level;

import io.frameloom.gpu.cache.ProgramDriver;
import io.frameloom.gpu.cache.ProgramKind;
import io.frameloom.gpu.cache.disk.DiskCache;
import org.jspecify.annotations.Nullable;

/**
 * The binaries of one program that one caller gives to its driver. That the driver throws is no failure as long as the
 * program can be made anew; if it cannot, whoever asked learns of both. One thread.
 */
public final class Loading<T> {
    private final CacheLevels levels;
    private final ProgramIdentity key;
    private final ProgramDriver<T> driver;
    private @Nullable RuntimeException refusal;

    public Loading(CacheLevels levels, ProgramIdentity key, ProgramDriver<T> driver) {
        this.levels = levels;
        this.key = key;
        this.driver = driver;
    }

    /** Gives the driver a binary; null if it refuses it. One from disk is marked while it does so for the first time. */
    public @Nullable T load(Resident resident) {
        DiskCache marking = levels.disk();
        boolean marked = marking != null && !resident.isProven() && isGivenToDriver();
        if (marking != null && marked) {
            marking.enterDriver(resident.digest());
        }
        T program = null;
        try {
            program = driver.load(resident.binary());
        } catch (RuntimeException thrown) {
            levels.counters().threw(thrown);
            RuntimeException first = refusal;
            if (first == null) {
                refusal = thrown;
            } else if (first != thrown) {
                first.addSuppressed(thrown);
            }
        } finally {
            if (marking != null && marked) {
                marking.leaveDriver(resident.digest());
            }
        }
        if (program == null) {
            levels.counters().refusals.increment();
            return null;
        }
        resident.setProven();
        return program;
    }

    /** Returns whether drivers have been known to crash on a damaged or foreign one. */
    private boolean isGivenToDriver() {
        return key.kind() == ProgramKind.PIPELINE;
    }

    /** Returns a failure to make the program anew, with what the driver threw at its binaries before. */
    RuntimeException alsoTelling(RuntimeException failure) {
        RuntimeException before = refusal;
        refusal = null;
        if (before != null && before != failure) {
            failure.addSuppressed(before);
        }
        return failure;
    }
}
