package io.frameloom.samples.clip;

import com.github.weisj.jsvg.renderer.output.Output;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Image;
import java.awt.Paint;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.awt.image.ImageObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What JSVG draws on. Keeps the bounds of what is drawn, and of clips: from where they are applied to the end of the
 * state that they were applied in. One thread.
 */
final class ClipRecorder implements Output {
    /** Where shapes go, in the units of the picture. */
    interface Target {
        void fill(Shape shape, Paint paint);

        /** Begins a clip; nothing is left of it if its path is empty. */
        void begin(Rectangle2D bounds);

        /** Ends the innermost clip. */
        void end();
    }

    /** Only masks and filters ask for it, and neither cuts anything here. */
    private static final Rectangle2D EVERYTHING = new Rectangle2D.Double(-1e9, -1e9, 2e9, 2e9);

    private final Target target;
    private Paint paint = Color.BLACK;
    private AffineTransform transform;
    private Stroke stroke;
    /** Bounds of the clips that this has begun, the innermost last. */
    private final List<Rectangle2D> clips = new ArrayList<>();

    ClipRecorder(Target target) {
        this(target, new AffineTransform(), new BasicStroke(1));
    }

    private ClipRecorder(Target target, AffineTransform transform, Stroke stroke) {
        this.target = target;
        this.transform = transform;
        this.stroke = stroke;
    }

    private Shape placed(Shape shape) {
        return transform.createTransformedShape(shape);
    }

    @Override
    public void fillShape(Shape shape) {
        target.fill(placed(shape), paint);
    }

    @Override
    public void drawShape(Shape shape) {
        target.fill(placed(stroke.createStrokedShape(shape)), paint);
    }

    @Override
    public void drawImage(BufferedImage image) {
        fillShape(new Rectangle2D.Double(0, 0, image.getWidth(), image.getHeight()));
    }

    @Override
    public void drawImage(Image image, @Nullable ImageObserver observer) {
        fillShape(new Rectangle2D.Double(0, 0, image.getWidth(observer), image.getHeight(observer)));
    }

    @Override
    public void drawImage(Image image, AffineTransform placed, @Nullable ImageObserver observer) {
        Shape size = new Rectangle2D.Double(0, 0, image.getWidth(observer), image.getHeight(observer));
        fillShape(placed.createTransformedShape(size));
    }

    @Override
    public void applyClip(Shape shape) {
        begin(placed(shape).getBounds2D());
    }

    private void begin(Rectangle2D bounds) {
        target.begin(bounds);
        clips.add(bounds);
    }

    /** Ends the clips of this state, and begins another one if there is a shape. */
    @Override
    public void setClip(@Nullable Shape shape) {
        endClips(0);
        if (shape != null) {
            applyClip(shape);
        }
    }

    private void endClips(int kept) {
        while (clips.size() > kept) {
            clips.remove(clips.size() - 1);
            target.end();
        }
    }

    @Override
    public Output createChild() {
        return new ClipRecorder(target, new AffineTransform(transform), stroke);
    }

    @Override
    public void dispose() {
        endClips(0);
    }

    @Override
    public SafeState safeState() {
        AffineTransform formerTransform = new AffineTransform(transform);
        Stroke formerStroke = stroke;
        List<Rectangle2D> formerClips = List.copyOf(clips);
        return () -> {
            restoreClips(formerClips);
            transform = formerTransform;
            stroke = formerStroke;
        };
    }

    /** Ends the clips begun since, and begins those again that were ended for others. */
    private void restoreClips(List<Rectangle2D> former) {
        int same = 0;
        while (same < Math.min(former.size(), clips.size()) && former.get(same).equals(clips.get(same))) {
            same++;
        }
        endClips(same);
        former.subList(same, former.size()).forEach(this::begin);
    }

    @Override
    public Rectangle2D clipBounds() {
        return EVERYTHING;
    }

    @Override
    public AffineTransform transform() {
        return new AffineTransform(transform);
    }

    @Override
    public void setTransform(AffineTransform other) {
        transform = new AffineTransform(other);
    }

    @Override
    public void applyTransform(AffineTransform further) {
        transform.concatenate(further);
    }

    @Override
    public void rotate(double angle) {
        transform.rotate(angle);
    }

    @Override
    public void scale(double x, double y) {
        transform.scale(x, y);
    }

    @Override
    public void translate(double x, double y) {
        transform.translate(x, y);
    }

    @Override
    public void setStroke(Stroke other) {
        stroke = other;
    }

    @Override
    public Stroke stroke() {
        return stroke;
    }

    @Override
    public boolean supportsFilters() {
        return false;
    }

    @Override
    public boolean supportsColors() {
        return false;
    }

    @Override
    public boolean isSoftClippingEnabled() {
        return false;
    }

    @Override
    public Optional<Float> contextFontSize() {
        return Optional.empty();
    }

    @Override
    public RenderingHints renderingHints() {
        return new RenderingHints(null);
    }

    @Override
    public @Nullable Object renderingHint(RenderingHints.Key key) {
        return null;
    }

    @Override
    public float currentOpacity() {
        return 1;
    }

    @Override
    public void setPaint(Paint other) {
        paint = other;
    }

    // How else it looks does not matter.

    @Override
    public void setPaint(Supplier<Paint> other) {}

    @Override
    public void applyOpacity(float opacity) {}

    @Override
    public void setRenderingHint(RenderingHints.Key key, @Nullable Object value) {}

    @Override
    public void debugPaint(Consumer<Graphics2D> painter) {}
}
