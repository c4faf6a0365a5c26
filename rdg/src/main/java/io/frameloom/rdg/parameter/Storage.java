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
     * Returns the stages that use it. In a compute pass, those of ray-tracing pipelines stand for these, all others for
     * compute shaders. A raster pass has none of rays, and only its fragment shaders write.
     */
    ShaderStage[] stages() default ShaderStage.FRAGMENT;

    /** Returns the name in the shader; that of the component if empty. */
    String binding() default "";
}
