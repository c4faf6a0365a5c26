package io.frameloom.gpu.compute;

import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.compute.RangeChecks.Part;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.error.ShaderCompilationException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prefix scan: combines each element with all before it, by any associative operator, over the whole length or within
 * segments.
 *
 * <p>Tiles are reduced to their totals, the totals scanned the same way, and the tiles scanned from there ("reduce,
 * then scan"; Merrill and Garland compare it with the single-pass form in "Single-pass Parallel Prefix Scan with
 * Decoupled Look-back"). That reads the input twice and writes the output once. A length within one tile takes one
 * dispatch, up to the square of a tile (4 million {@code uint}) three, up to its cube five. {@link
 * ScanVariant#LOOK_BACK} is the single-pass form. Data that exceeds one storage binding or the workgroups of a dispatch
 * goes through windows.
 *
 * <p>Made once and recorded on any thread, by several at a time, until it is closed. The results of operators that are
 * exactly associative are those of {@link CpuScan}, bit for bit.
 */
public final class PrefixScan implements AutoCloseable {
    private final ScanShape shape;
    private final StorageLimits limits;
    private final RangeChecks checks;
    private final ComputeShaders shaders;
    private final ReduceThenScan reduceThenScan;
    /** The scan with look-back, or null. */
    private final @Nullable LookBackScan lookBack;
    /** Whether lengths that it cannot look back over are reduced and then scanned; else they are refused. */
    private final boolean mayReduce;

    private volatile boolean closed;

    /**
     * @param larger shape for a scan with look-back, or null
     * @param trial faults for tests, or null
     * @param mayReduce whether lengths that it cannot look back over are reduced and then scanned
     */
    PrefixScan(
            GpuDevice device,
            ScanShape shape,
            StorageLimits limits,
            @Nullable ScanShape larger,
            @Nullable LookBackTrial trial,
            boolean mayReduce) {
        this.shape = shape;
        this.limits = limits;
        this.mayReduce = mayReduce;
        this.checks = new RangeChecks(device, "prefix scan '" + shape.operator().name() + "'", limits);
        this.shaders = new ComputeShaders(device);
        try {
            reduceThenScan = new ReduceThenScan(shape, limits, shaders);
            lookBack = larger == null || trial == null
                    ? null
                    : new LookBackScan(larger, limits, LookBackScan.takesTilesByNumber(device), trial, shaders);
        } catch (ShaderCompilationException refused) {
            shaders.close();
            throw named(shape.operator(), refused);
        } catch (RuntimeException | Error e) {
            shaders.close();
            throw e;
        }
    }

    private static ShaderCompilationException named(ScanOperator operator, ShaderCompilationException refused) {
        ShaderCompilationException named = new ShaderCompilationException("the GLSL of scan operator '"
                + operator.name() + "', here operator.glsl, does not define '"
                + operator.type().glsl() + " combine' as it should: " + refused.getMessage());
        named.initCause(refused);
        return named;
    }

    /**
     * Makes the plain scan of an operator. Any thread; nothing is submitted.
     *
     * @throws ShaderCompilationException naming the operator, if its GLSL does not compile
     * @throws GpuException if the driver does not compile its shaders: {@link GpuOutOfMemoryException} if there is too
     *     little memory, {@link DeviceLostException} if the device is lost
     * @throws IllegalStateException if the device is closed
     */
    public static PrefixScan create(GpuDevice device, ScanOperator operator) {
        return create(device, operator, ScanOptions.DEFAULT);
    }

    /**
     * Makes the segmented scan of an operator, which begins anew at each element that {@link ScanArguments#heads}
     * marks. Any thread; nothing is submitted.
     *
     * @throws ShaderCompilationException naming the operator, if its GLSL does not compile
     * @throws GpuException if the driver does not compile its shaders: {@link GpuOutOfMemoryException} if there is too
     *     little memory, {@link DeviceLostException} if the device is lost
     * @throws IllegalStateException if the device is closed
     */
    public static PrefixScan createSegmented(GpuDevice device, ScanOperator operator) {
        return createSegmented(device, operator, ScanOptions.DEFAULT);
    }

    /**
     * Makes the plain scan of an operator as options say. Any thread. With {@link ScanVariant#AUTO} the first of a kind
     * on a device submits a self-test to its first queue and blocks until that is done, on a worker in a blocking region
     * (see {@link ScanVariant#AUTO}).
     *
     * @throws IllegalArgumentException if it must look back, but the operator is not exactly associative
     * @throws ShaderCompilationException naming the operator, if its GLSL does not compile
     * @throws GpuException if the driver does not compile its shaders: {@link GpuOutOfMemoryException} if there is too
     *     little memory, {@link DeviceLostException} if the device is lost, also during the self-test of {@link
     *     ScanVariant#AUTO}
     * @throws IllegalStateException if the device is closed
     */
    public static PrefixScan create(GpuDevice device, ScanOperator operator, ScanOptions options) {
        return create(device, operator, false, options);
    }

    /**
     * Makes the segmented scan of an operator as options say. Any thread. With {@link ScanVariant#AUTO} the first of a kind
     * on a device submits a self-test to its first queue and blocks until that is done, on a worker in a blocking region
     * (see {@link ScanVariant#AUTO}).
     *
     * @throws IllegalArgumentException if it must look back, but the operator is not exactly associative
     * @throws ShaderCompilationException naming the operator, if its GLSL does not compile
     * @throws GpuException if the driver does not compile its shaders: {@link GpuOutOfMemoryException} if there is too
     *     little memory, {@link DeviceLostException} if the device is lost, also during the self-test of {@link
     *     ScanVariant#AUTO}
     * @throws IllegalStateException if the device is closed
     */
    public static PrefixScan createSegmented(GpuDevice device, ScanOperator operator, ScanOptions options) {
        return create(device, operator, true, options);
    }

    private static PrefixScan create(GpuDevice device, ScanOperator operator, boolean segmented, ScanOptions options) {
        boolean lookBack = switch (options.variant()) {
            case REDUCE_THEN_SCAN -> false;
            case LOOK_BACK -> {
                if (!operator.isExact()) {
                    throw new IllegalArgumentException("prefix scan '" + operator.name() + "' of "
                            + operator.type() + " cannot look back: sums of floats depend on the order in which"
                            + " they are rounded; make it with REDUCE_THEN_SCAN or AUTO, or, if its bits do not"
                            + " depend on that order, of words that its GLSL takes for floats");
                }
                yield true;
            }
            case AUTO -> looksBackByItself(device, operator, segmented, options);
        };
        StorageLimits limits = StorageLimits.of(device.capabilities());
        return create(device, operator, segmented, options, limits, lookBack ? LookBackTrial.NONE : null);
    }

    private static boolean looksBackByItself(
            GpuDevice device, ScanOperator operator, boolean segmented, ScanOptions options) {
        DeviceLimits.Compute limits = device.capabilities().limits().compute();
        return operator.isExact()
                && device.capabilities().kind() != DeviceKind.SIMULATED
                && ScanShape.lookBack(operator, segmented, options, limits).lanes() != 0
                && passesTheSelfTest(device, operator, segmented, options);
    }

    /** The other form needs less memory than the test, so it is tried if that finds none. */
    private static boolean passesTheSelfTest(
            GpuDevice device, ScanOperator operator, boolean segmented, ScanOptions options) {
        try {
            return LookBackSelfTest.passes(device, operator, segmented, options);
        } catch (GpuOutOfMemoryException tooLittle) {
            return false;
        }
    }

    static PrefixScan create(
            GpuDevice device,
            ScanOperator operator,
            boolean segmented,
            ScanOptions options,
            StorageLimits limits,
            @Nullable LookBackTrial lookBack) {
        DeviceLimits.Compute compute = device.capabilities().limits().compute();
        ScanShape shape = ScanShape.reduceThenScan(operator, segmented, options, compute);
        ScanShape larger = lookBack == null ? null : ScanShape.lookBack(operator, segmented, options, compute);
        return new PrefixScan(device, shape, limits, larger, lookBack, options.variant() == ScanVariant.AUTO);
    }

    /** Returns the operator. */
    public ScanOperator operator() {
        return shape.operator();
    }

    /** Returns the variant, never {@link ScanVariant#AUTO}: such a scan returns the one that was chosen. */
    public ScanVariant variant() {
        return lookBack == null ? ScanVariant.REDUCE_THEN_SCAN : ScanVariant.LOOK_BACK;
    }

    /** Returns whether this is a segmented scan. */
    public boolean isSegmented() {
        return shape.segmented();
    }

    /**
     * Returns the alignment of the offset of scratch memory in bytes, a power of two, as the device binds storage. For
     * a range of another offset a dispatch may bind up to so many bytes before it.
     */
    public int storageAlignment() {
        return limits.alignment();
    }

    /**
     * Returns how much scratch memory a scan takes; at least 1.
     *
     * @param length number of elements
     */
    public long scratchBytes(long length) {
        checks.length(length, Long.MAX_VALUE / (Integer.BYTES * 8), "which no memory holds");
        long bytes = reduceThenScan.scratchBytes(length);
        return lookBack == null || (mayReduce && !lookBack.fits(length))
                ? bytes
                : Math.max(bytes, lookBack.scratchBytes(length));
    }

    /**
     * Returns what {@link #record} uses, to be declared by the pass it is recorded in. Nothing for length 0.
     *
     * @throws NullPointerException if something is missing
     * @throws IllegalArgumentException naming what does not fit
     * @throws IllegalStateException if this scan or a buffer is closed
     */
    public List<ResourceUse> uses(ScanArguments arguments) {
        List<Part> parts = check(arguments);
        return arguments.length() == 0 ? List.of() : RangeChecks.uses(parts);
    }

    /**
     * Records a scan: dispatches and the barriers between them. The caller orders the work before and after it. The
     * list has another pipeline and other bindings afterwards. Nothing is recorded if something does not fit.
     *
     * @param list a list of a graphics or compute queue of the device, outside of render passes
     * @throws NullPointerException if something is missing
     * @throws IllegalArgumentException naming what does not fit
     * @throws IllegalStateException if this scan or a buffer is closed
     */
    public void record(CommandList list, ScanArguments arguments) {
        checks.sameDevice(list, check(arguments));
        if (arguments.length() == 0) {
            return;
        }
        LookBackScan single = lookBackFor(arguments);
        if (single != null) {
            single.record(list, arguments);
        } else {
            reduceThenScan.record(list, arguments);
        }
    }

    /** Returns the scan that looks back over such elements, or null if they are reduced and then scanned. */
    private @Nullable LookBackScan lookBackFor(ScanArguments arguments) {
        if (lookBack == null || arguments.isInPlace() || (mayReduce && !lookBack.fits(arguments.length()))) {
            return null;
        }
        return lookBack;
    }

    private List<Part> check(ScanArguments arguments) {
        checks.open(closed);
        checks.present("arguments", arguments);
        checks.present("kind", arguments.kind());
        long length = arguments.length();
        long scratch = scratchBytes(length);
        long bytes = elementBytes(length);
        checks.present("input", arguments.input());
        Part output = checks.part("output", arguments.output(), bytes, Access.STORAGE_WRITE_COMPUTE, true);
        boolean inPlace = arguments.isInPlace();
        Access read = inPlace ? Access.STORAGE_READ_WRITE_COMPUTE : Access.STORAGE_READ_COMPUTE;
        List<Part> parts = new ArrayList<>();
        parts.add(checks.part("input", arguments.input(), bytes, read, false));
        if (inPlace) {
            checks.fits(output);
        } else {
            parts.add(output);
        }
        parts.add(checks.scratch(arguments.scratch(), scratch));
        if (shape.segmented()) {
            parts.add(checks.part("heads", arguments.heads(), headBytes(length), Access.STORAGE_READ_COMPUTE, false));
        } else if (arguments.heads() != null) {
            throw new IllegalArgumentException("prefix scan '"
                    + shape.operator().name() + "' is not segmented, but is given heads; make it with createSegmented");
        }
        checks.fit(parts);
        LookBackScan single = lookBackFor(arguments);
        if (single != null) {
            single.check(length);
        }
        return parts;
    }

    private long elementBytes(long length) {
        return length * shape.operator().type().bytes();
    }

    /** Bytes of the flags of some elements, whole words. */
    static long headBytes(long length) {
        return (length + 31) / 32 * Integer.BYTES;
    }

    /** Closes the pipelines, when everything recorded with them was submitted; a second call does nothing. */
    @Override
    public void close() {
        closed = true;
        shaders.close();
    }
}
