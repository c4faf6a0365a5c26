package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.rdg.RenderTargets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An attachment of a raster pass.
 *
 * @param use index of its use among those of the pass
 * @param load load operation as declared
 * @param readOnly whether it is tested but not written
 * @param resolve index of the use of the texture that its samples are resolved to, or -1
 * @param mode how depth or stencil is resolved, or null
 * @param slices the slices that are attached of a texture of three dimensions, null for those of others
 */
public record Attachment(
        int use,
        Aspect aspect,
        LoadOp load,
        ClearColor clear,
        float clearDepth,
        int clearStencil,
        boolean readOnly,
        int resolve,
        @Nullable ResolveMode mode,
        RenderTargets.@Nullable Slices slices) {
    /** Returns the same attachment, resolved. */
    public Attachment resolvedTo(int target, @Nullable ResolveMode by) {
        return new Attachment(use, aspect, load, clear, clearDepth, clearStencil, readOnly, target, by, slices);
    }

    boolean is(
            int ofUse,
            Aspect ofAspect,
            LoadOp withLoad,
            ClearColor withClear,
            float withDepth,
            int withStencil,
            boolean onlyRead,
            int target,
            @Nullable ResolveMode by,
            RenderTargets.@Nullable Slices ofSlices) {
        return use == ofUse
                && aspect == ofAspect
                && load == withLoad
                && clear.equals(withClear)
                && Float.floatToRawIntBits(clearDepth) == Float.floatToRawIntBits(withDepth)
                && clearStencil == withStencil
                && readOnly == onlyRead
                && resolve == target
                && mode == by
                && Objects.equals(slices, ofSlices);
    }

    /** Returns the same attachment, which loads what is there. */
    public Attachment loading() {
        return new Attachment(
                use, aspect, LoadOp.LOAD, clear, clearDepth, clearStencil, readOnly, resolve, mode, slices);
    }
}
