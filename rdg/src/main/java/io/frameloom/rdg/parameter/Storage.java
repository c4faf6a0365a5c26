package io.frameloom.rdg.parameter;

import io.frameloom.gpu.pipeline.ShaderStage;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The pass uses it as storage: a texture, a buffer, a view of one, or a list of them.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Storage {
    /** What the shader does with what was there. */
    enum Mode {
        /** It only reads. */
        READ,
        /** It reads and writes. */
        READ_WRITE,
        /** It writes and keeps what it does not write. */
        WRITE,
        /** It writes everything; earlier writers are not needed. */
        OVERWRITE
    }

    /** Returns what the shader does with what was there. */
    Mode value();

    /**
     * Returns the stages of a raster pass that read it; fragment shaders alone write. A compute pass has but one, and
     * names a stage of rays if it traces them by a pipeline.
     */
    ShaderStage[] stages() default ShaderStage.FRAGMENT;

    /** Returns the name in the shader; that of the component if empty. */
    String binding() default "";
}
